//! Where the page comes from: a folder, or a zip file as `cargo xtask build` packs it. The zip may be inside the program.
//!
//! A browser gets a file of the zip as it is stored there: what the zip has deflated becomes gzip with another header, so nothing
//! is compressed or copied at the start, and the network carries a third of the bytes.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Response, StatusCode, header};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use zip::{CompressionMethod, ZipArchive};

/// Most files of a zip, and the largest of them, unpacked.
const MAX_FILES: usize = 5000;
const MAX_FILE: u64 = 64 << 20;
/// Largest zip.
const MAX_ZIP: u64 = 256 << 20;
/// Begins a gzip file: deflate, no name, no time, unknown system.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The built page.
#[derive(Clone, Debug)]
pub enum WebPage {
    /// A folder.
    Folder(PathBuf),
    /// A zip file.
    Packed(PackedPage),
}

/// The page in a zip file.
#[derive(Clone, Debug)]
pub struct PackedPage {
    zip: Bytes,
    files: BTreeMap<String, PackedFile>,
}

/// A file in the zip.
#[derive(Clone, Copy, Debug)]
struct PackedFile {
    at: usize,
    length: usize,
    size: u32,
    sum: u32,
    deflated: bool,
}

impl WebPage {
    /// The page in a folder or a zip file.
    ///
    /// # Errors
    /// A sentence: there is no page.
    pub fn open(path: &Path) -> Result<Self, String> {
        if path.join("index.html").is_file() {
            return Ok(Self::Folder(path.to_owned()));
        }
        let problem = |why: String| format!("{}: {why}", path.display());
        if path.is_file() {
            let size = path.metadata().map_err(|e| problem(e.to_string()))?.len();
            if size > MAX_ZIP {
                return Err(problem(format!("it is larger than {MAX_ZIP} bytes")));
            }
            let bytes = std::fs::read(path).map_err(|e| problem(e.to_string()))?;
            return PackedPage::read(bytes.into()).map(Self::Packed).map_err(problem);
        }
        Err(problem(
            "there is no page (index.html). `cargo xtask build` makes it in dist; --web names another folder or zip file"
                .to_owned(),
        ))
    }

    /// The page in a zip file that is part of the program.
    ///
    /// # Errors
    /// A sentence: it is no page.
    pub fn embedded(zip: &'static [u8]) -> Result<Self, String> {
        PackedPage::read(Bytes::from_static(zip)).map(Self::Packed)
    }
}

impl PackedPage {
    /// Reads the directory of a zip. Its files are below one folder, or at the top.
    ///
    /// # Errors
    /// A sentence.
    pub fn read(zip: Bytes) -> Result<Self, String> {
        let mut archive = ZipArchive::new(Cursor::new(zip.clone())).map_err(|e| e.to_string())?;
        if archive.len() > MAX_FILES {
            return Err(format!("it has more than {MAX_FILES} files"));
        }
        let mut files = BTreeMap::new();
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index).map_err(|e| e.to_string())?;
            let name = file.name().map_err(|e| e.to_string())?.into_owned();
            let deflated = match file.compression() {
                CompressionMethod::Deflated => true,
                CompressionMethod::Stored => false,
                other => return Err(format!("{name}: it is compressed with {other}")),
            };
            if !file.is_file() {
                continue;
            }
            let at = file.data_start().and_then(|at| usize::try_from(at).ok());
            let at = at.ok_or_else(|| format!("{name}: it has no data"))?;
            let length = usize::try_from(file.compressed_size()).unwrap_or(usize::MAX);
            let size = u32::try_from(file.size().min(MAX_FILE + 1)).unwrap_or(u32::MAX);
            let inside = at.checked_add(length).is_some_and(|end| end <= zip.len());
            if !inside || u64::from(size) > MAX_FILE {
                return Err(format!("{name}: its size is wrong"));
            }
            files.insert(name, PackedFile { at, length, size, sum: file.crc32(), deflated });
        }
        let index = files.keys().filter_map(|name| name.strip_suffix("index.html"));
        let index = index.filter(|folder| folder.matches('/').count() <= 1).min_by_key(|folder| folder.len());
        let folder = index.ok_or("there is no page (index.html) in it")?.to_owned();
        let files = files
            .into_iter()
            .filter_map(|(name, file)| Some((name.strip_prefix(&folder)?.to_owned(), file)))
            .collect();
        Ok(Self { zip, files })
    }

    /// The names of all files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The contents of a file.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<Vec<u8>> {
        let file = self.files.get(name)?;
        let data = self.data(*file);
        if !file.deflated {
            return Some(data.to_vec());
        }
        let size = usize::try_from(file.size).ok()?;
        miniz_oxide::inflate::decompress_to_vec_with_limit(&data, size).ok()
    }

    fn data(&self, file: PackedFile) -> Bytes {
        self.zip.slice(file.at..file.at + file.length)
    }

    /// Answers a request for a path, which begins with a slash.
    pub(crate) fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Body> {
        let plain = |status: StatusCode, text: &'static str| {
            let mut response = Response::new(Body::from(text));
            *response.status_mut() = status;
            response
        };
        if method != Method::GET && method != Method::HEAD {
            return plain(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD.\n");
        }
        let asked = path.trim_start_matches('/');
        let index = asked.is_empty() || asked.ends_with('/');
        let name = if index { format!("{asked}index.html") } else { asked.to_owned() };
        let Some(file) = self.files.get(&name).copied() else {
            let folder = !index && self.files.contains_key(&format!("{name}/index.html"));
            let mut response = if folder {
                plain(StatusCode::TEMPORARY_REDIRECT, "")
            } else {
                plain(StatusCode::NOT_FOUND, "There is no such file.\n")
            };
            // Relative, because a proxy may serve the page below another path.
            let last = name.rsplit('/').next().unwrap_or_default();
            if let (true, Ok(to)) = (folder, format!("{last}/").parse()) {
                response.headers_mut().insert(header::LOCATION, to);
            }
            return response;
        };
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let zipped = text(header::ACCEPT_ENCODING).is_some_and(|accepts| {
            let gzip = |part: &str| part.trim() == "gzip" || part.trim().starts_with("gzip;");
            file.deflated && accepts.split(',').any(|part| gzip(part) && !part.contains("q=0"))
        });
        let tag = format!("\"{:08x}-{:x}{}\"", file.sum, file.size, if zipped { "-gzip" } else { "" });
        let known = text(header::IF_NONE_MATCH).is_some_and(|tags| tags.split(',').any(|t| t.trim() == tag));
        let mut response = Response::new(Body::empty());
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else if method == Method::GET {
            let bytes = if zipped { Some(self.gzip(file)) } else { self.file(&name) };
            let Some(bytes) = bytes else {
                return plain(StatusCode::INTERNAL_SERVER_ERROR, "The page is damaged.\n");
            };
            *response.body_mut() = Body::from(bytes);
        }
        let kind = mime_guess::from_path(&name).first_raw().unwrap_or("application/octet-stream");
        let mut put = |name: header::HeaderName, value: &str| {
            // All of them are plain ASCII.
            if let Ok(value) = value.parse() {
                response.headers_mut().insert(name, value);
            }
        };
        put(header::CONTENT_TYPE, kind);
        put(header::ETAG, &tag);
        put(header::VARY, "accept-encoding");
        if zipped {
            put(header::CONTENT_ENCODING, "gzip");
        }
        response
    }

    fn gzip(&self, file: PackedFile) -> Vec<u8> {
        [&GZIP, &*self.data(file), &file.sum.to_le_bytes(), &file.size.to_le_bytes()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use std::io::Write as _;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn packed(files: &[(&str, &str)]) -> Result<PackedPage, String> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            let method =
                if name.ends_with(".png") { CompressionMethod::Stored } else { CompressionMethod::Deflated };
            zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).expect("a file");
            zip.write_all(text.as_bytes()).expect("written");
        }
        PackedPage::read(zip.finish().expect("a zip").into_inner().into())
    }

    fn page() -> PackedPage {
        let long = "<p>page</p>".repeat(100);
        let files = [
            ("s/index.html", long.as_str()),
            ("s/a.wasm", "wasm"),
            ("s/i.png", "x"),
            ("s/book/index.html", "b"),
        ];
        packed(&files).expect("a page")
    }

    async fn asked(path: &str, headers: &[(header::HeaderName, &str)]) -> (StatusCode, HeaderMap, Vec<u8>) {
        let headers = headers.iter().map(|(n, v)| (n.clone(), v.parse().expect("a value"))).collect();
        let response = page().answer(&Method::GET, path, &headers);
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, 1 << 20).await.expect("a body");
        (parts.status, parts.headers, bytes.to_vec())
    }

    #[tokio::test]
    async fn files_are_served_plain_and_as_gzip() {
        let (status, headers, bytes) = asked("/", &[]).await;
        assert_eq!(
            (status, &headers[header::CONTENT_TYPE]),
            (StatusCode::OK, &HeaderValue::from_static("text/html"))
        );
        assert_eq!(bytes, "<p>page</p>".repeat(100).into_bytes());
        let (_, headers, zipped) = asked("/index.html", &[(header::ACCEPT_ENCODING, "br, gzip")]).await;
        assert_eq!(headers[header::CONTENT_ENCODING], "gzip");
        let inner = &zipped[GZIP.len()..zipped.len() - 8];
        assert_eq!(miniz_oxide::inflate::decompress_to_vec(inner).ok(), Some(bytes));
        assert!(zipped.starts_with(&GZIP) && zipped.ends_with(&1100_u32.to_le_bytes()));
        let tag = headers[header::ETAG].to_str().expect("text").to_owned();
        let again = [(header::ACCEPT_ENCODING, "gzip"), (header::IF_NONE_MATCH, tag.as_str())];
        let (status, _, bytes) = asked("/index.html", &again).await;
        assert_eq!((status, bytes.len()), (StatusCode::NOT_MODIFIED, 0));
        let (_, headers, _) = asked("/a.wasm", &[]).await;
        assert_eq!(headers[header::CONTENT_TYPE], "application/wasm");
        let (_, headers, bytes) = asked("/i.png", &[(header::ACCEPT_ENCODING, "gzip")]).await;
        assert_eq!((headers.get(header::CONTENT_ENCODING), bytes.as_slice()), (None, b"x".as_slice()));
        let (status, headers, _) = asked("/book", &[]).await;
        assert_eq!(status, StatusCode::TEMPORARY_REDIRECT);
        assert_eq!(headers[header::LOCATION], "book/");
        for path in ["/none", "/../s/index.html", "/s/index.html", "//"] {
            assert_eq!(asked(path, &[]).await.0 == StatusCode::OK, path == "//", "{path}");
        }
        let posted = page().answer(&Method::POST, "/", &HeaderMap::new());
        assert_eq!(posted.status(), StatusCode::METHOD_NOT_ALLOWED);
    }

    #[test]
    fn other_files_are_no_page() {
        assert!(packed(&[("a/b/index.html", "x")]).is_err());
        assert!(packed(&[]).is_err() && PackedPage::read(Bytes::from_static(b"no zip")).is_err());
        assert!(WebPage::open(Path::new("/nowhere")).is_err());
        assert_eq!(
            packed(&[("index.html", "x")]).expect("a page").names().collect::<Vec<_>>(),
            ["index.html"]
        );
    }
}
