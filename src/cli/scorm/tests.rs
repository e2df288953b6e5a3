//! Packages of a small lesson with a page that has a file of each kind.

use super::*;
use std::io::Read as _;

const LESSON: &str = "---\ntitle: \"First <job> & more\"\nlanguage: fr\nsite: lab\n---\nVoir ![schéma](img/a.png).\n\n\
    ## Un pas\n\n```check\na job: name = first\n```\n\n```solution\nsbatch -J first --wrap hostname\n```\n";

/// A folder with a lesson and a page, removed at the end.
struct Course(PathBuf);

impl Course {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("sandbatch-scorm-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&dir));
        let own = Self(dir);
        for (file, text) in [
            ("lesson.md", LESSON),
            ("img/a.png", "a picture"),
            ("web/index.html", "the page"),
            ("web/embed.js", "the element"),
            ("web/data-1/sites/lab.json", "{}"),
            ("web/app.js", "app"),
            ("web/app.js.br", "compressed"),
            ("web/sw.js", "offline"),
            ("web/book/index.html", "the book"),
            ("web/.lock", ""),
        ] {
            own.write(file, text);
        }
        own
    }

    fn at(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.at(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn args(&self) -> ExportArgs {
        ExportArgs {
            lesson: self.at("lesson.md"),
            scorm12: Some(self.at("12.zip")),
            scorm2004: Some(self.at("2004.zip")),
            web: Some(self.at("web")),
            page: None,
            name: None,
        }
    }

    /// The files of a package by name, and their names in order.
    fn package(&self, file: &str) -> (BTreeMap<String, String>, Vec<String>) {
        let mut archive = zip::ZipArchive::new(fs::File::open(self.at(file)).unwrap()).unwrap();
        let mut order = Vec::new();
        let mut files = BTreeMap::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let name = entry.name().unwrap().into_owned();
            order.push(name.clone());
            files.insert(name, text);
        }
        (files, order)
    }
}

impl Drop for Course {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[test]
fn a_package_has_the_lesson_its_pictures_and_the_page() {
    let course = Course::new("whole");
    assert_eq!(export(&course.args()), Ok(0));
    for (file, number, name) in [("12.zip", "1.2", "1.2"), ("2004.zip", "2004 3rd Edition", "2004")] {
        let (files, order) = course.package(file);
        let expected = [
            "imsmanifest.xml",
            "index.html",
            "launch.css",
            "launch.js",
            "lesson/img/a.png",
            "lesson/lesson.md",
            "page/app.js",
            "page/data-1/sites/lab.json",
            "page/embed.js",
            "page/index.html",
        ];
        assert_eq!(order, expected, "{file}");
        assert_eq!(files["lesson/lesson.md"], LESSON);
        let manifest = &files["imsmanifest.xml"];
        assert!(manifest.contains(&format!("<schemaversion>{number}</schemaversion>")), "{manifest}");
        assert!(manifest.contains("<title>First &lt;job&gt; &amp; more</title>"), "{manifest}");
        for name in &expected[1..] {
            assert!(manifest.contains(&format!("<file href=\"{name}\"/>")), "{name}: {manifest}");
        }
        let index = &files["index.html"];
        for part in [
            "<html lang=\"fr\">",
            "<script src=\"page/embed.js\" data-page=\"index.html\"></script>",
            "data-lesson=\"../lesson/lesson.md\"",
            &format!("data-standard=\"{name}\""),
        ] {
            assert!(index.contains(part), "{part}: {index}");
        }
    }
}

#[test]
fn a_package_may_load_the_page_from_elsewhere() {
    let course = Course::new("elsewhere");
    let page = page_address("https://hpc.example.org/sandbatch").ok();
    let args =
        ExportArgs { web: None, page, name: Some("fr/01-x\"y".to_owned()), scorm2004: None, ..course.args() };
    assert_eq!(export(&args), Ok(0));
    let (files, order) = course.package("12.zip");
    assert_eq!(order, ["imsmanifest.xml", "index.html", "launch.css", "launch.js"]);
    let index = &files["index.html"];
    assert!(
        index.contains("<script src=\"https://hpc.example.org/sandbatch/embed.js\"></script>"),
        "{index}"
    );
    assert!(index.contains("data-lesson=\"fr/01-x&quot;y\""), "{index}");
    for bad in ["hpc.example.org", "javascript:alert(1)", "https://a.org/?x", "https://a.org/\"><script>"] {
        assert!(page_address(bad).is_err(), "{bad}");
    }
}

#[test]
fn what_cannot_be_packed_is_reported_and_nothing_is_written() {
    let course = Course::new("refused");
    let with = |lesson: &str| {
        course.write("lesson.md", lesson);
        export(&course.args())
    };
    assert_eq!(with("no lesson"), Ok(1));
    for (picture, why) in [
        ("../../secret.png", "below the folder"),
        ("/etc/passwd", "below the folder"),
        ("img/none.png", "No such file"),
    ] {
        let error = with(&LESSON.replace("img/a.png", picture)).expect_err(picture);
        assert!(error.contains(why), "{picture}: {error}");
    }
    // Pictures on other hosts stay there.
    assert_eq!(with(&LESSON.replace("img/a.png", "https://a.org/b.png")), Ok(0));
    let none = ExportArgs { web: Some(course.at("img")), ..course.args() };
    assert!(export(&none).expect_err("no page").contains("there is no page"));
    let full = ExportArgs { scorm12: Some("/dev/full".into()), scorm2004: None, ..course.args() };
    if cfg!(target_os = "linux") {
        assert!(export(&full).expect_err("a full disk").contains("/dev/full: No space left"));
    }
    fs::remove_file(course.at("12.zip")).unwrap();
    let unwritable = ExportArgs { scorm12: Some(course.at("none/12.zip")), ..course.args() };
    assert!(export(&unwritable).expect_err("no folder").contains("No such file"));
    assert!(!course.at("12.zip").exists());
}
