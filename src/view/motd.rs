//! The message of the day in the page's language. The engine has no language and prints the English one if there is
//! one.

/// The output of a terminal, with its greeting (if it begins with one) in this language. `texts` are those of
/// [`protocol::Started`].
#[must_use]
pub fn in_language(output: Vec<u8>, texts: &[(String, String)], language: &str) -> Vec<u8> {
    let text = |code: &str| texts.iter().find(|(lang, _)| lang == code).map(|(_, text)| text.as_bytes());
    let rest = |own| Some((own, output.strip_prefix(text("en").filter(|t| !t.is_empty())?)?));
    match text(language).and_then(rest) {
        Some((own, rest)) => [own, rest].concat(),
        None => output,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_greeting_changes() {
        let texts: Vec<(String, String)> =
            [("en", "Hello\n"), ("fr", "Bonjour\n")].map(|(l, t)| (l.to_owned(), t.to_owned())).into();
        let said = |output: &str, language: &str| {
            String::from_utf8(in_language(output.as_bytes().to_vec(), &texts, language)).unwrap_or_default()
        };
        assert_eq!(said("Hello\n[alice]$ ", "fr"), "Bonjour\n[alice]$ ");
        for (output, language) in [("Hello\n", "en"), ("Hello\n", "de"), ("Hello, you\n", "fr"), ("", "fr")] {
            assert_eq!(said(output, language), output, "{language}");
        }
        assert_eq!(in_language(b"x".to_vec(), &[("en".into(), String::new())], "fr"), b"x");
    }
}
