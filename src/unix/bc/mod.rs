//! bc(1): arbitrary-precision decimal arithmetic, variables, `if`, `while`, `for`, functions, and `-l`'s `s c
//! a l e`.
//!
//! Deliberate differences: numbers are read and printed in base ten (`ibase` and `obase` report an error),
//! and arrays are not supported.

mod decimal;
mod parse;
mod run;
mod series;

use super::getopt::{self, Spec, contents};
use crate::Cx;

const SPEC: Spec = Spec {
    short: "lqswi",
    long: &[("mathlib", 'l'), ("quiet", 'q'), ("standard", 's'), ("warn", 'w'), ("interactive", 'i')],
    usage: 1,
};

/// Whether standard input is read. bc reads it after its files.
pub fn reads(_argv: &[String]) -> bool {
    true
}

/// bc(1)
pub fn bc(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut text = String::new();
    let files = if parsed.operands.is_empty() { Vec::new() } else { contents(cx, &parsed.operands, b"") };
    for (file, data) in files {
        match data {
            Ok(data) => text += &String::from_utf8_lossy(&data),
            Err(errno) => {
                cx.complain(&format!("File {file} is unavailable. ({errno})"));
                return 1;
            }
        }
    }
    text += &String::from_utf8_lossy(stdin);
    let mut machine = run::BcMachine::new(parsed.has('l'));
    let code = machine.run(&text);
    for (wrong, line) in machine.output {
        if wrong {
            cx.complain(&line);
        } else {
            cx.print(&line);
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        for text in [
            "1+2\n",
            "scale=2; 10/3\n",
            "10/3\n",
            "2^10\n",
            "2^-2\n",
            "scale=3; 2^-2\n",
            "5%3\n",
            "scale=2; 5.5%2\n",
            "1.5 > 1\n",
            "a=5; a*2\n",
            "a=b=3\na+b\n",
            "x+=2; x\n",
            "x=7; x++ ; x; --x\n",
            "sqrt(2)\n",
            "scale=10; sqrt(2)\n",
            "-3\n",
            "-.5+.25\n",
            "(1+2)*3\n",
            "0.1*0.2\n",
            "1/0\n",
            "3 +\n",
            "length(123.45)\n",
            "scale(1.234)\n",
            "if (1<2) 5 else 6\n",
            "if (2<1) 5 else 6\n",
            "for(i=0;i<3;i++) i\n",
            "i=0; while(i<3){ i; i+=1 }\n",
            "define f(x) { return x*x; }\nf(5)\n",
            "define f(n) { if (n<=1) return 1; return n*f(n-1); }\nf(30)\n",
            "\"hello\n\"\n",
            "print \"a\", 1+1, \"\\n\"\n",
            "100000000000000000000*3\n",
            "1 == 1 && 2 == 3\n",
            "!0\n",
            "1 || 0\n",
            "a=1;b=2\nb-a\n",
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890\n",
            "2^200\n",
            "# comment\n1 /* c */ + 1\n",
            "quit\n1\n",
            "scale=4; 22/7; last*2\n",
            "3;4\n",
            "-2^2\n",
            "7-3-2\n",
            "1.10+2\n",
            "000012\n",
            "scale=20; 1/3*3\n",
            "x\n",
            "1e5\n",
            "define g(a,b){auto c; c=a+b; return (c)}\ng(1,2)\n",
            "2*(3\n1+1\n",
            ".5\n",
            "1.50*2\n",
            "4.0/2\n",
        ] {
            host.same(&["bc"], text, &[]);
        }
        for text in [
            "s(1)\n",
            "c(1)\n",
            "a(1)*4\n",
            "l(2)\n",
            "e(1)\n",
            "scale=5; e(2.5)\n",
            "1/3\n",
            "5%3\n",
            "scale=0; 7%4\n",
            "e(-1)\n",
            "l(10)\n",
            "a(.5)\n",
            "scale=3;s(.7)\n",
            "4*a(1)\n",
            "e(l(7))\n",
            "sqrt(10)\n",
        ] {
            host.same(&["bc", "-l"], text, &[]);
        }
    }

    #[test]
    fn same_long_numbers_as_the_real_program() {
        let mut host = Host::default();
        for text in ["scale=2000; a(1)\n", "scale=300; e(1)+l(3)\n", "scale=1500; sqrt(2)\n", "3^20000\n"] {
            host.same(&["bc", "-l"], text, &[]);
        }
    }

    #[test]
    fn work_is_bounded() {
        let mut host = Host::default();
        for text in [
            "while (1) 1+1\n",
            "scale=2000; while (1) x = a(1)\n",
            "x = 7^10000; while (1) x = (x * x) % (7^9000)\n",
            "define f(n) { return f(n); }\nf(1)\n",
        ] {
            let done = host.run_in(&["bc", "-l"], text);
            assert!(done.err.contains("the limit in sandbatch"), "{text}: {done:?}");
        }
    }
}
