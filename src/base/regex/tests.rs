//! Tests: syntaxes, leftmost-longest matching, back-references, errors.

use super::*;

fn regex(pattern: &str, syntax: Syntax) -> Regex {
    Regex::new(pattern, syntax, Flags::default()).expect(pattern)
}

#[test]
fn syntaxes() {
    let cases = [
        (Syntax::Basic, r"a\{2\}b*", "xaabb", Some((1, 5))),
        (Syntax::Basic, "*a", "b*a", Some((1, 3))),
        (Syntax::Basic, "^*a", "*a", Some((0, 2))),
        (Syntax::Basic, "a+", "aa+", Some((1, 3))),
        (Syntax::Basic, r"a\+$", "baa", Some((1, 3))),
        (Syntax::Basic, "a$b", "a$b", Some((0, 3))),
        (Syntax::Basic, r"\(^a\|b\)c", "xbc", Some((1, 3))),
        (Syntax::Basic, r"\<bar\>", "foobar bar", Some((7, 10))),
        (Syntax::Extended, "^(a|b)+$", "abba", Some((0, 4))),
        (Syntax::Extended, "a{2,3}", "aaaa", Some((0, 3))),
        (Syntax::Extended, "a{x", "a{x", Some((0, 3))),
        (Syntax::Extended, "+a", "b+a", Some((1, 3))),
        (Syntax::Extended, "[]a]+", "x]a", Some((1, 3))),
        (Syntax::Extended, "[^[:digit:]]+", "12ab3", Some((2, 4))),
        (Syntax::Extended, "[a-c-]+", "z-b", Some((1, 3))),
        (Syntax::Extended, r"[\]", "\\", Some((0, 1))),
        (Syntax::Extended, r"\.", "a.b", Some((1, 2))),
        (Syntax::Extended, "[.]", "a.b", Some((1, 2))),
        (Syntax::Extended, "é+", "aéé", Some((1, 5))),
        (Syntax::Extended, "[[:alpha:]]+$", "1é", Some((1, 3))),
        (Syntax::Posix, ")", "a)", Some((1, 2))),
        (Syntax::Posix, "a**", "baa", Some((0, 0))),
        (Syntax::Fixed, "a.*", "xa.*", Some((1, 4))),
    ];
    for (syntax, pattern, text, expected) in cases {
        assert_eq!(regex(pattern, syntax).find_at(text, 0), expected, "{pattern}");
    }
}

#[test]
fn the_longest_match_with_its_groups() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("a|ab|abc", "abcd", &["abc"]),
        ("(a|ab|abc)+", "xabcabcy", &["abcabc", "abc"]),
        ("(ab|a)(bab)?", "abab", &["abab", "a", "bab"]),
        ("(x|xy)(z|yz)", "xyz", &["xyz", "x", "yz"]),
        ("(a*)(ab)*", "aab", &["aab", "a", "ab"]),
        ("((a)|(b))+", "ab", &["ab", "b", "a", "b"]),
        ("(a*)*", "b", &["", ""]),
        ("(a*)+", "aa", &["aa", "aa"]),
        (r"(a.)\1", "xabab", &["abab", "ab"]),
        (r"^(.)(.).?\2\1$", "level", &["level", "l", "e"]),
        (r"([a-z]+) \1", "the the end", &["the the", "the"]),
        (r"(a*)\1b", "aaaab", &["aaaab", "aa"]),
    ];
    for (pattern, text, expected) in cases {
        let groups = regex(pattern, Syntax::Posix).groups_at(text, 0).expect(pattern);
        let found: Vec<&str> = groups.iter().map(|g| g.map_or("", |(from, to)| &text[from..to])).collect();
        assert_eq!(&found, expected, "{pattern}");
    }
}

#[test]
fn flags_and_positions() {
    let folded =
        Regex::new("[a-c]É", Syntax::Extended, Flags { icase: true, lines: false }).expect("a pattern");
    assert_eq!(folded.find_at("xBé", 0), Some((1, 4)));
    let lines = Regex::new("^b$", Syntax::Basic, Flags { icase: false, lines: true }).expect("a pattern");
    assert_eq!(lines.find_at("a\nb\nc", 0), Some((2, 3)));
    let start = regex("^a", Syntax::Basic);
    assert_eq!(start.find_at("aa", 1), None);
    assert_eq!(regex("a*", Syntax::Basic).find_at("baa", 1), Some((1, 3)));
    assert_eq!(regex("a", Syntax::Basic).find_at("a", 5), None);
}

#[test]
fn errors() {
    for (pattern, text) in [
        ("(a", "Unmatched ( or \\("),
        ("[a", "Unmatched [, [^, [:, [., or [="),
        ("a\\", "Trailing backslash"),
        ("[[:foo:]]", "Invalid character class name"),
        ("[z-a]", "Invalid range end"),
        ("(x)\\2", "Invalid back reference"),
        ("*a", "Invalid preceding regular expression"),
        ("a|*b", "Invalid preceding regular expression"),
        ("a{2", "Unmatched \\{"),
        ("a{3,1}", "Invalid content of \\{\\}"),
    ] {
        let found = Regex::new(pattern, Syntax::Posix, Flags::default());
        assert_eq!(found.err().as_deref(), Some(text), "{pattern}");
    }
    let huge = "a".repeat(MAX_PATTERN + 1);
    assert!(Regex::new(&huge, Syntax::Basic, Flags::default()).is_err());
    assert!(Regex::new("((a{999}){999}){999}", Syntax::Extended, Flags::default()).is_err());
    let deep = "(".repeat(5000);
    assert!(Regex::new(&deep, Syntax::Extended, Flags::default()).is_err());
}

#[test]
fn matching_is_bounded() {
    let text = "a".repeat(2000);
    assert!(!regex("(a*)*b", Syntax::Extended).is_match(&text));
    assert!(!regex(r"(a*)*(a*)*\1b", Syntax::Extended).is_match(&text));
}
