//! Compares awk(1) with the machine's mawk on behaviour that all awks share.

use crate::testing::Host;

const INPUT: &str = "JobID   User  State 12 1.5\n101 alice RUNNING 3 0.5\n102 bob PENDING 10 2\n103 alice FAILED 7 1e2\n\nx=y=z  end\n";

/// As gawk 5.2.1 prints them.
#[test]
fn substr_outside_of_the_text() {
    let mut host = Host::default();
    for (call, expected) in [
        ("0", "hello"),
        ("0, 2", "he"),
        ("-1, 3", "hel"),
        ("1.5", "hello"),
        ("1.5, 1.5", "h"),
        ("2, 0.6", ""),
        ("2, -1", ""),
        ("6", ""),
        ("2, 1e300", "ello"),
        ("\"x\", 3", "hel"),
    ] {
        let program = format!("BEGIN {{ print substr(\"hello\", {call}) }}");
        assert_eq!(host.out(&["awk", &program]), format!("{expected}\n"), "{call}");
    }
}

#[test]
fn same_as_the_real_program() {
    let mut host = Host::default();
    for program in [
        "{print $4}",
        "{print $1, $NF}",
        "NR==2",
        "NR>1 && $2==\"alice\" {print $1}",
        "/alice/",
        "!/alice/",
        "$3 ~ /ING$/ {print NR\":\"$3}",
        "$3 !~ \"ING\" {print NF}",
        "BEGIN{print 1+2*3^2, 7%3, -2^2, 10/4}",
        "BEGIN{x=\"a\"; x = x \"b\" 1+1; print x}",
        "{s+=$4} END{print s, s/NR, NR}",
        "{a[$2]++} END{print a[\"alice\"], a[\"bob\"], (\"carol\" in a), length(a)>0}",
        "NR==2,NR==4{print NR}",
        "/101/,/103/",
        "BEGIN{FS=\"=\"} {print $2}",
        "{$2=\"X\"; print; print NF}",
        "{NF=2; print}",
        "{$7=\"new\"; print}",
        "BEGIN{OFS=\"-\"} {$1=$1; print}",
        "BEGIN{printf \"%5d|%-5s|%05.2f|%c|%x|%e|%g|%i%%\\n\", 42.9, \"ab\", 3.14159, \"hello\", 255, 12345.678, 0.0001, 3}",
        "BEGIN{printf(\"%c%c\\n\", 65, \"B\")}",
        "BEGIN{n=split(\"a:b:c\",p,\":\"); print n, p[1], p[3]; n=split(\"  x  y \",q); print n, q[1]}",
        "BEGIN{n=split(\"a1b22c\",p,/[0-9]+/); print n, p[2], p[3]; print split(\"\",e)}",
        "BEGIN{s=\"hello world\"; print gsub(/o/,\"[&]\",s), s; sub(\"l+\",\"L\",s); print s; gsub(/x*/,\"-\",s); print s}",
        "{gsub(/[aeiou]/,\"\"); print}",
        "{sub(/alice/,\"\\\\&X\"); print $2}",
        "BEGIN{if(match(\"foobar\",/o+/)) print RSTART, RLENGTH; print match(\"x\",/y/), RSTART, RLENGTH}",
        "BEGIN{print toupper(\"abc\") tolower(\"DEF\")}",
        "BEGIN{print int(3.9), int(-3.9), sqrt(16), exp(0), log(1), sin(0), cos(0), atan2(0,-1)}",
        "BEGIN{for(i=0;i<3;i++) printf \"%d \", i; print \"\"; while(i-->0) printf \"%d \", i; print \"\"; do {i++} while(i<5); print i}",
        "BEGIN{for(i=0;;i++){if(i==2) continue; if(i>4) break; print i}}",
        "function f(n){return n<=1?1:n*f(n-1)} BEGIN{print f(10)}",
        "function g(a,k,  i){a[k]=1; i=5; return} BEGIN{g(arr,\"x\"); print (\"x\" in arr), i\"\"}",
        "function h(a){a[1]++} function k(b){h(b)} BEGIN{k(z); k(z); print z[1]}",
        "BEGIN{a[1,2]=3; for(k in a){split(k,p,SUBSEP); print p[1], p[2]}; if((1,2) in a) print \"yes\"; delete a[1,2]; print ((1,2) in a)}",
        "BEGIN{a[1];a[2]; delete a; n=0; for(k in a) n++; print n}",
        "BEGIN{print 1==1.0, \"a\"<\"b\", 2<10, \"2\"<\"10\", (x==0), (x==\"\")}",
        "$4<10",
        "$5==100{print}",
        "BEGIN{OFMT=\"%.2f\"; print 3.14159; CONVFMT=\"%.3f\"; x = 3.14159 \"\"; print x}",
        "BEGIN{print -3 % 2, 1 - -1, !0, !1, !\"\", !\"a\"}",
        "END{print $0, NR}",
        "NR==1{next} {print; exit} END{print \"end\"}",
        "BEGIN{exit 3} END{print \"e\"}",
        "END{exit}",
        "BEGIN{getline; print \"got \" $0; getline x; print x, NR} {print NR}",
        "BEGIN{while((getline line < \"/dev/null\")>0) n++; print n+0}",
        "{print > \"/dev/stdout\"}",
        "BEGIN { x[\"a\"] = 1; x[\"a\"] += 4; print x[\"a\"]++ + ++x[\"a\"]; $0 = \"a b c\"; print NF, $2; $2++; print }",
        "{ print NR, ($4 > 5) ? \"big\" : \"small\" }",
        "# comment\nNR==1 { # here\n  print \"a\" ,\n \"b\"\n}\n\nEND { if (1)\n print 1\n else\n print 2 }",
        "BEGIN{if(!(3 in a)) print \"no\"; if(\"x\" ~ \"^x$\") print \"m\"; print \"a\" > \"/dev/stderr\"}",
        "$1==101||$1==102{c++}END{print c}",
        "length > 20",
        "length($0) < 5 {print NR}",
        "BEGIN{print length()}",
        "BEGIN{a=\"10\"; b=9; print (a<b), (a+0<b), (\"abc\"<1)}",
        "{ $3 = \"\"; print; }",
        "BEGIN { RS=\"\" } { print NR \": \" $1 \" \" NF }",
        "BEGIN { RS=\";\" } { print NR \": \" $0 }",
        "BEGIN { $3 = \"c\"; print NF, $0 }",
        "BEGIN { print index(\"a.b\", \".\"), \"a\" \"b\" == \"ab\" }",
        "{ x = $4; $4 = x * 2 } 1",
        "BEGIN { print substr(\"hello\", 2), 5 \" items\" ; print(1,2)(3) }",
        "BEGIN { a[\"x\"]=1; for (k in a) delete a[k]; for (k in a) print k; print \"done\" }",
        "!seen[$2]++",
        "BEGIN { print 1,2 > \"/dev/stdout\"; print (1 > 2) }",
        "BEGIN { print (1 }",
        "BEGIN { f(1) }",
        "{ print $(NF-1), $NF-1 }",
        "BEGIN { printf \"%-10s|%10s|\\n\", \"abc\", \"def\" }",
        "/a/ && /b/ { print } /x/ || /101/ { print \"or\" NR }",
        "NR % 2",
        "BEGIN { while (i < 3) { i++; if (i == 2) continue; print i } }",
        "BEGIN { x; print x + 0, x \"\", length(x) }",
        "BEGIN { \"x\" ~ /x/ ? y = 1 : y = 2; print y }",
    ] {
        // `(1,2)(3)` and the like are errors in every awk.
        host.same(&["awk", program], INPUT, &[]);
    }
}

#[test]
fn options_and_files() {
    let files = [("a", "1:2\n3:4\n"), ("b", "5:6\n"), ("p.awk", "{ print FILENAME, FNR, NR, $v }\n")];
    let mut host = Host::with(&files);
    for args in [
        &["-F:", "{print $2}", "a"][..],
        &["-F", ":", "-v", "x=7", "{print $1+x}", "a", "b"],
        &["-v", "v=2", "-F:", "-f", "p.awk", "a", "b"],
        &["{print v $0}", "v=1", "a", "v=2", "b"],
        &["-F[:2]", "{print NF}", "a"],
        &["-F", "|", "{print $1}", "a"],
        &["-Ft", "{print $1}", "a"],
        &["NR==FNR{a[$1]=$2;next} {print a[\"3\"]}", "FS=:", "a", "b"],
        &["BEGIN{print ARGC, ARGV[1]}", "q"],
        &["FNR==1{print FILENAME}", "a", "b"],
        &[
            "BEGIN{while((getline l < \"a\")>0) print \"<\" l; close(\"a\"); getline l < \"a\"; print l; print (getline < \"nope\")}",
        ],
        &["{print > \"out\"} END{close(\"out\"); while((getline x < \"out\")>0) print x \"!\"}", "a"],
        &["1", "nope"],
    ] {
        host.same(&[&["awk"], args].concat(), "in:put\n", &files);
    }
    let forever = host.run(&["awk", "function f(x){return f(x+1)} BEGIN{f(1)}"]);
    assert_eq!(
        (forever.err.contains("nested too deeply") || forever.err.contains("stack overflow"), forever.code),
        (true, 2)
    );
    for program in ["BEGIN{NF=-1}", "{$3=1; NF-=9}"] {
        let ran = host.run_in(&["awk", program], "a b\n");
        assert!(ran.code == 2 && ran.err.ends_with("fatal: NF set to negative value\n"), "{}", ran.err);
    }
    assert_eq!(
        host.out(&["awk", "BEGIN{srand(1); x=rand(); srand(1); print (x==rand()), (x<1 && x>=0)}"]),
        "1 1\n"
    );
    assert_eq!(
        host.out(&["awk", "BEGIN{a[10];a[9];a[\"b\"];a[\"a\"]; for(k in a) printf k \" \"}"]),
        "9 10 a b "
    );
}

#[test]
fn functions_of_gawk() {
    if std::process::Command::new("gawk").arg("--version").output().is_err() {
        eprintln!("skipped: gawk is not installed");
        return;
    }
    let mut host = Host::default();
    for program in [
        "BEGIN { print mktime(\"2026 11 25 20 00 00\"), mktime(\"2024 2 30 0 0 -1\"), mktime(\"1969 13 32 25 61 61\"), mktime(\"x\") }",
        "BEGIN { split(\"10 9 b a 1e1 x\", a); n = asort(a); for (i = 1; i <= n; i++) print a[i]; print n }",
        "BEGIN { a[\"z\"] = 1; a[\"b\"] = 2; a[3] = 3; n = asorti(a, k); for (i = 1; i <= n; i++) print k[i], a[k[i]] }",
        "BEGIN { print gensub(/(a+)(b*)/, \"<\\\\2\\\\1&>\", \"g\", \"aabbxab\"), gensub(/o/, \"0\", 2, \"foo boo\") }",
        "BEGIN { $0 = \"a.b.c\"; print gensub(\"\\\\.\", \"-\", \"G\"); print gensub(/x*/, \"-\", \"g\", \"abc\") }",
        "BEGIN { print and(12, 10), or(12, 10), xor(12, 10), lshift(3, 4), rshift(48, 4), compl(0), and(7, 6, 3) }",
        "BEGIN { print strtonum(\"0x1F\"), strtonum(\"017\"), strtonum(\"19\"), strtonum(\"1.5e2x\"), strtonum(\"-0x10\") }",
    ] {
        let real = crate::testing::real(&["gawk", program], "", &[]);
        let ran = host.run(&["awk", program]);
        assert_eq!((ran.out, ran.err), (real.out, real.err), "{program}");
    }
    let files = [("in", "1\n2\n3\n4\n")];
    let mut host = Host::with(&files);
    host.out(&["awk", "{ print > \"out\" (NR % 2) }", "in"]);
    assert_eq!((host.cat("out0"), host.cat("out1")), ("2\n4\n".to_owned(), "1\n3\n".to_owned()));
}

/// What ends programs, as gawk 5.2.1 says it.
#[test]
fn fatal_errors() {
    let files = [("f", "a b\nc d\n"), ("p.awk", "BEGIN { z = 1 }\n\n{ y = 0\n  print 3 % y }\n")];
    let mut host = Host::with(&files);
    let scalar =
        |name: &str| format!("cmd. line:1: fatal: attempt to use array `{name}' in a scalar context");
    let array = |kind: &str, name: &str| {
        format!("cmd. line:1: fatal: attempt to use scalar{kind} `{name}' as an array")
    };
    let short = "cmd. line:1: fatal: not enough arguments to satisfy format string\n\t";
    for (program, says) in [
        ("BEGIN { x = 0; print 1 / x }", "cmd. line:1: fatal: division by zero attempted".to_owned()),
        (
            "END { x = 0; print 1 / x }",
            "cmd. line:1: (FILENAME=f FNR=2) fatal: division by zero attempted".into(),
        ),
        (
            "{ x = 0 }\n{ print 1 / x }",
            "cmd. line:2: (FILENAME=f FNR=1) fatal: division by zero attempted".into(),
        ),
        ("{ print $(-1) }", "cmd. line:1: (FILENAME=f FNR=1) fatal: attempt to access field -1".into()),
        (
            "{ print > \"\" }",
            "cmd. line:1: (FILENAME=f FNR=1) fatal: expression for `>' redirection has null string value"
                .into(),
        ),
        (
            "{ \"\" | getline x }",
            "cmd. line:1: (FILENAME=f FNR=1) fatal: expression for `|' redirection has null string value"
                .into(),
        ),
        ("BEGIN { a[1] = 1; print a }", scalar("a")),
        ("BEGIN { a[1] = 1; a += 2 }", scalar("a")),
        ("BEGIN { print ENVIRON }", scalar("ENVIRON")),
        ("function g(p) { p[1] = 1; p = 2 } BEGIN { g(a) }", scalar("p (from a)")),
        ("function g(p,  l) { l[1] = 1; return l } BEGIN { g() }", scalar("l")),
        ("function f(a) { a[1] = 1 } BEGIN { f(x); print x }", scalar("x")),
        ("BEGIN { a = 1; a[1] = 2 }", array("", "a")),
        ("BEGIN { a = 1; print (1 in a) }", array("", "a")),
        ("BEGIN { a = 1; delete a }", array("", "a")),
        ("BEGIN { NF[1] = 1 }", array("", "NF")),
        ("function g(p) { return p[1] } BEGIN { g(3) }", array(" parameter", "p")),
        (
            "BEGIN { a = 1; split(\"x y\", a) }",
            "cmd. line:1: fatal: split: second argument is not an array".into(),
        ),
        ("BEGIN { printf \"%d %d\\n\", 1 }", format!("{short}`%d %d\n'\n\t    ^ ran out for this one")),
        ("BEGIN { printf \"%d %s\" }", format!("{short}`%d %s'\n\t ^ ran out for this one")),
        ("BEGIN { x = sprintf(\"%*d\", 5) }", format!("{short}`%*d'\n\t  ^ ran out for this one")),
    ] {
        let ran = host.run(&["awk", program, "f"]);
        assert_eq!((ran.code, ran.err), (2, format!("awk: {says}\n")), "{program}");
    }
    for (program, which) in [
        ("BEGIN { print 1 }\nEND { print NR / 0 }", ""),
        ("BEGIN { print 1 }\nEND { print NR % 0.0 }", " in `%'"),
        ("BEGIN { print 1 }\nEND { print NR / -0 }", ""),
    ] {
        let ran = host.run(&["awk", program, "f"]);
        let says = format!("awk: cmd. line:2: error: division by zero attempted{which}\n");
        assert_eq!((ran.code, ran.out, ran.err), (1, String::new(), says), "{program}");
    }
    assert_eq!(host.run(&["awk", "BEGIN { print 1 / (0) }"]).code, 2);
    assert_eq!(host.run(&["awk", "BEGIN {"]).code, 1);
    let ran = host.run(&["awk", "-f", "p.awk", "f"]);
    assert_eq!(ran.err, "awk: p.awk:4: (FILENAME=f FNR=1) fatal: division by zero attempted in `%'\n");
    let files = [("bad.awk", "BEGIN { x = 1 }\n/(/ { print }\n"), ("odd\nname", "BEGIN { print 7 }\n")];
    let mut host = Host::with(&files);
    assert_eq!(host.run(&["awk", "-f", "bad.awk"]).err, "awk: bad.awk:2: fatal: invalid regexp: /(/\n");
    assert_eq!(host.out(&["awk", "-f", "odd\nname"]), "7\n");
    let passed =
        "function h(q) { return length(q) } function g(p) { return h(p) } BEGIN { a[1]; a[2]; print g(a) }";
    assert_eq!(host.out(&["awk", passed]), "2\n");
    assert_eq!(host.out(&["awk", "BEGIN { printf \"%5.1f%% %c|%z\\n\", 2.25, \"xy\" }"]), "  2.2% x|%z\n");
}

/// `!` binds more tightly than `~`, as in gawk 5.2.1.
#[test]
fn negation_before_a_match() {
    let mut host = Host::with(&[]);
    let program = "BEGIN { x = \"ab\"; print !x ~ \"0\", !x !~ \"1\", !y ~ 1, 2 * !y ~ 0, !!x ~ 0, -!y ~ 1, !(x ~ \"a\") }";
    assert_eq!(host.out(&["awk", program]), "1 1 1 0 0 1 0\n");
}
