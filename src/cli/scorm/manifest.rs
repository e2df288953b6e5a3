//! `imsmanifest.xml`: what a learning platform reads of a package.

use std::fmt::Write as _;

/// A standard for packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScormVersion {
    /// SCORM 1.2.
    Scorm12,
    /// SCORM 2004, third edition.
    Scorm2004,
}

impl ScormVersion {
    /// The name in `launch.js`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scorm12 => "1.2",
            Self::Scorm2004 => "2004",
        }
    }

    /// Namespace and schema of the manifest, the same of ADL's additions, the attribute of a resource that reports results, and
    /// the version.
    const fn schema(self) -> [&'static str; 6] {
        match self {
            Self::Scorm12 => [
                "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
                "imscp_rootv1p1p2.xsd",
                "http://www.adlnet.org/xsd/adlcp_rootv1p2",
                "adlcp_rootv1p2.xsd",
                "scormtype",
                "1.2",
            ],
            Self::Scorm2004 => [
                "http://www.imsglobal.org/xsd/imscp_v1p1",
                "imscp_v1p1.xsd",
                "http://www.adlnet.org/xsd/adlcp_v1p3",
                "adlcp_v1p3.xsd",
                "scormType",
                "2004 3rd Edition",
            ],
        }
    }
}

/// The manifest of a package with one lesson. `id` names it among the platform's courses; `files` are the paths in the package.
pub fn manifest(version: ScormVersion, id: &str, title: &str, files: &[&str]) -> String {
    let [space, schema, adl_space, adl_schema, kind, number] = version.schema();
    let title = escape(title);
    let id: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let mut list = String::new();
    for file in files {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "      <file href=\"{}\"/>", escape(file));
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="sandbatch-{id}" version="1"
    xmlns="{space}"
    xmlns:adlcp="{adl_space}"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="{space} {schema} {adl_space} {adl_schema}">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>{number}</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>{title}</title>
      <item identifier="lesson" identifierref="page">
        <title>{title}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:{kind}="sco" href="index.html">
{list}    </resource>
  </resources>
</manifest>
"#
    )
}

/// Text in XML and HTML, also in an attribute. Control characters, which XML does not have, are left out.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
