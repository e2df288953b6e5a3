//! Tests of addresses: parameters, links, and what may be contacted.

use super::*;

const HERE: &str = "https://a.org/x/?site=lab&lang=fr&theme=dark#old";

#[test]
fn parameters_are_plain_words() {
    let address =
        PageAddress::parse("https://a.org/?site=lab-2&embed=terminal+queue&lang=%3Cb%3E&seed=&site=b");
    assert_eq!(address.parameter("site"), "lab-2");
    assert_eq!(address.parameter("embed"), "terminal queue");
    for none in ["lang", "seed", "missing"] {
        assert_eq!(address.parameter(none), "", "{none}");
    }
    let long = PageAddress::parse(&format!("?site={}&lang={}", "a".repeat(64), "a".repeat(65)));
    assert_eq!((long.parameter("site").len(), long.parameter("lang")), (64, ""));
    assert_eq!(PageAddress::parse("?site=../x").parameter("site"), "");
}

#[test]
fn moments_round_trip() {
    let bytes: Vec<u8> = (0..=255).collect();
    let there =
        PageAddress::parse("https://a.org/x/?lesson=file&embed=queue&seed=7").at_moment(&bytes, "mila");
    let href = there.href();
    assert!(href.starts_with("https://a.org/x/?seed=7&site=mila#s="), "{href}");
    assert!(!href.contains(['+', '=']) || href.matches('=').count() == 3, "{href}");
    let back = PageAddress::parse(&href);
    assert_eq!(back.moment(), Some(bytes));
    assert_eq!(there.query_and_fragment(), href.trim_start_matches("https://a.org/x/"));
    assert_eq!(PageAddress::parse("?a#s=AAE=").moment(), Some(vec![0, 1]));
    assert_eq!(PageAddress::parse("?a#other").moment(), None);
    assert_eq!(PageAddress::parse("?a#s=no moment").moment(), Some(b"no moment".to_vec()));
}

#[test]
fn a_class_is_named_with_its_secret() {
    let secret = "AAECAwQFBgcICQoLDA0ODw";
    let here = PageAddress::parse(&format!("https://a.org/x/index.html?lang=fr#class=hpc-1.{secret}"));
    assert_eq!(here.class(), Some(ClassLink { name: "hpc-1".into(), secret: secret.into() }));
    assert_eq!(here.class_socket("hpc-1"), "wss://a.org/x/class/hpc-1");
    let there = PageAddress::parse("http://127.0.0.1:8080/#class=c.A");
    assert_eq!(there.class_socket("c"), "ws://127.0.0.1:8080/class/c");
    for none in ["#class=", "#class=c", "#class=.A", "#class=a/b.A", "#class=c.A/B", "#s=class=c.A", ""] {
        assert_eq!(PageAddress::parse(&format!("https://a.org/{none}")).class(), None, "{none}");
    }
    assert_eq!(PageAddress::parse(&format!("#class=c.{secret}A")).class(), None);
}

#[test]
fn a_file_opens_only_site_lesson_and_seed() {
    let here = PageAddress::parse(HERE);
    let there = here.opened("?site=mila&seed=3&embed=queue&theme=x&lesson=en%2F01-a#s=AA");
    assert_eq!(there.href(), "https://a.org/x/?site=mila&lesson=en%2F01-a&seed=3#s=AA");
    // The page stays the same whatever the query is.
    for foreign in
        ["https://evil.org/?site=b#s=AA", "javascript:alert(1)?site=b#s=AA", "//evil.org?site=b#s=AA"]
    {
        assert_eq!(here.opened(foreign).href(), "https://a.org/x/?site=b#s=AA", "{foreign}");
    }
}

#[test]
fn a_host_sets_only_permitted_parameters() {
    let there = PageAddress::parse(HERE).hosted("site=mila&theme=x&seed=2&lesson=en/10-preemption");
    assert_eq!(there.href(), "https://a.org/x/?site=mila&lang=fr&theme=dark&lesson=en%2F10-preemption");
}

#[test]
fn lessons_are_from_the_course_or_another_address() {
    let lesson = |query: &str| PageAddress::parse(query).lesson();
    assert_eq!(lesson("?site=lab"), LessonSource::None);
    assert_eq!(lesson("?lesson=file"), LessonSource::File);
    assert_eq!(lesson("?lesson=en/01-first-job"), LessonSource::Course("en/01-first-job".into()));
    for elsewhere in ["https://b.org/l.md", "en/../secret", "english/x", "en/", "x"] {
        assert_eq!(lesson(&format!("?lesson={elsewhere}")), LessonSource::Elsewhere(elsewhere.into()));
    }
    let here = PageAddress::parse(HERE);
    assert_eq!(here.at_lesson("fr/01-a").href(), "https://a.org/x/?lang=fr&theme=dark&lesson=fr%2F01-a");
    assert_eq!(here.at_lesson("").href(), "https://a.org/x/?lang=fr&theme=dark");
}

#[test]
fn an_address_that_names_something_leaves_no_choice() {
    for open in ["https://a.org/x/", "https://a.org/x/?lang=fr&theme=dark", "https://a.org/?lesson="] {
        assert!(PageAddress::parse(open).is_open(), "{open}");
    }
    for named in
        ["?site=lab", "?lesson=en/01-a", "?seed=4", "?background=off", "?embed=queue", "#s=AA", "#class=a.b"]
    {
        assert!(!PageAddress::parse(&format!("https://a.org/x/{named}")).is_open(), "{named}");
    }
}

#[test]
fn a_lesson_loads_over_https_or_from_the_own_origin() {
    let origin = "http://127.0.0.1:8080";
    assert!(may_load("https://b.org/l.md", origin));
    assert!(may_load("http://127.0.0.1:8080/lessons/en/a.md", origin));
    for refused in
        ["http://127.0.0.1:80801/l.md", "http://b.org/l.md", "data:text/plain,x", "file:///etc/passwd"]
    {
        assert!(!may_load(refused, origin), "{refused}");
    }
    // The origin of a page that was opened from a disk.
    assert!(!may_load("null/x", "null"));
}

#[test]
fn the_host_of_a_lesson_is_the_one_that_is_asked() {
    let origin = "https://a.org";
    let host = |address: &str| other_host(address, origin);
    assert_eq!(host("https://a.org/lessons/x.md"), None);
    assert_eq!(host("https://b.org/l.md").as_deref(), Some("b.org"));
    assert_eq!(host("https://a.org:444/l.md").as_deref(), Some("a.org:444"));
    // What comes before `@` is a name and a password, and what comes after `/` a path.
    assert_eq!(host("https://a.org@b.org/l.md").as_deref(), Some("b.org"));
    assert_eq!(host("https://a.org:x@b.org:8/https://a.org/").as_deref(), Some("b.org:8"));
    assert_eq!(host("https://b.org?@a.org/").as_deref(), Some("b.org"));
    assert_eq!(host("https://a.org.b.org/l.md").as_deref(), Some("a.org.b.org"));
    assert_eq!(host("data:text/plain,x"), None);
}

#[test]
fn pictures_come_from_the_page_or_from_where_the_lesson_is() {
    let (lesson, origin) = ("https://b.org/course/l.md", "https://a.org");
    for shown in ["https://b.org/img/a.png", "https://a.org/icon.svg"] {
        assert!(may_show(shown, lesson, origin), "{shown}");
    }
    for refused in [
        "https://c.org/pixel.png",
        "http://b.org/a.png",
        "https://b.org:444/a.png",
        "https://b.org@c.org/a.png",
        "https://b.org.c.org/a.png",
        "data:image/png,x",
    ] {
        assert!(!may_show(refused, lesson, origin), "{refused}");
    }
    // A lesson of the course, and one that came as a file.
    assert!(may_show("https://a.org/data/x.png", "https://a.org/data/l.md", origin));
    assert!(!may_show("https://b.org/x.png", "https://a.org/data/l.md", origin));
    assert!(may_show("http://127.0.0.1:8080/x.png", lesson, "http://127.0.0.1:8080"));
}

#[test]
fn the_start_is_a_lesson_or_a_site() {
    let here = PageAddress::parse(HERE);
    let of = |site: &str, lesson: &str, lang: &str| ClassStart {
        site: site.into(),
        lesson: lesson.into(),
        lang: lang.into(),
        background: "off".into(),
        seed: "4".into(),
    };
    let start = |of: &ClassStart| here.start(of).href();
    assert_eq!(start(&of("lab", "", "")), "https://a.org/x/?site=lab&background=off&seed=4");
    assert_eq!(start(&of("lab", "en/01-a", "fr")), "https://a.org/x/?lesson=en%2F01-a&lang=fr&seed=4");
    assert_eq!(start(&ClassStart::default()), "https://a.org/x/");
    for local in ["http://127.0.0.1:8080/", "http://localhost/x", "http://[::1]:80/", "file:///x/index.html"]
    {
        assert!(PageAddress::parse(local).is_local(), "{local}");
    }
    let framed = PageAddress::parse("https://a.org/?embed=queue&site=lab&theme=dark&lang=fr");
    assert_eq!(framed.unframed().href(), "https://a.org/?site=lab&lang=fr");
    assert!(!here.is_local() && !PageAddress::parse("http://192.168.1.7:8080/").is_local());
    assert_eq!(here.at_site("own-x").href(), "https://a.org/x/?site=own-x");
}

#[test]
fn a_change_of_the_fragment_needs_a_reload() {
    assert!(needs_reload("https://a.org/?x#a", "https://a.org/?x#b"));
    assert!(needs_reload("https://a.org/", "https://a.org/"));
    assert!(!needs_reload("https://a.org/?x#a", "https://a.org/?x"));
    assert!(!needs_reload("https://a.org/?x#a", "https://a.org/?y#a"));
}

#[test]
fn adding_and_removing_parameters() {
    let here = PageAddress::parse("https://a.org/x/?site=a&lang=fr&site=c&theme=dark#old");
    assert_eq!(here.with("site", "b").without("theme").href(), "https://a.org/x/?site=b&lang=fr#old");
}
