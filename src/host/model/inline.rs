//! Short Python programs that are simulated exactly: `import`, `print`, `time.sleep`, `sys.exit`, and a few queries
//! of the machine and the environment. Programs with other statements are not.

use super::context::ModelContext;
use super::keys::FOREVER;
use super::plan::{ModelPlan, WorkTime};
use base::time::Span;

/// Maximum number of statements.
const MAX_STATEMENTS: usize = 200;

/// The plan of a program; `None` if it contains a statement that is not simulated.
#[must_use]
pub fn read(program: &str, context: &ModelContext) -> Option<ModelPlan> {
    let mut plan = ModelPlan::default();
    let mut at = Span(0);
    for line in program.lines() {
        // Blocks are not supported.
        if line.starts_with([' ', '\t']) && !line.trim().is_empty() {
            return None;
        }
        for statement in split(line, ';') {
            if plan.lines.len() > MAX_STATEMENTS {
                return None;
            }
            let statement = statement.trim();
            if statement.is_empty() || statement.starts_with('#') || is_import(statement) {
                continue;
            }
            if let Some(inner) = call(statement, &["print"]) {
                plan.lines.push((
                    WorkTime::After(at),
                    1,
                    words(inner, context).filter(|t| !t.contains('$'))?,
                ));
            } else if let Some(inner) = call(statement, &["time.sleep", "sleep"]) {
                at = at + super::text::duration(&format!("{}s", inner.trim()))?;
            } else if let Some(inner) = call(statement, &["sys.exit", "exit", "quit"]) {
                plan.exit = if inner.trim().is_empty() { 0 } else { inner.trim().parse().ok()? };
                plan.time = Some((at, at));
                return Some(plan);
            } else {
                return None;
            }
        }
    }
    plan.time = Some((at, at)).filter(|t| t.0 < FOREVER);
    Some(plan)
}

fn is_import(statement: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || " ._,*".contains(c);
    (statement.starts_with("import ") || statement.starts_with("from ")) && statement.chars().all(plain)
}

/// The arguments of a call of one of these functions.
fn call<'a>(statement: &'a str, names: &[&str]) -> Option<&'a str> {
    let (name, rest) = statement.split_once('(')?;
    rest.strip_suffix(')').filter(|_| names.contains(&name.trim()))
}

/// Splits a text at a character outside quotes and brackets.
fn split(text: &str, at: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (i, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth -= 1,
            (c, None) if c == at && depth == 0 => {
                parts.extend(text.get(start..i));
                start = i + c.len_utf8();
            }
            (_, None) => {}
        }
    }
    parts.extend(text.get(start..));
    parts
}

/// The output of `print` with these arguments.
fn words(arguments: &str, context: &ModelContext) -> Option<String> {
    if arguments.trim().is_empty() {
        return Some(String::new());
    }
    let values: Option<Vec<String>> =
        split(arguments, ',').into_iter().map(|a| value(a.trim(), context)).collect();
    Some(values?.join(" "))
}

/// Evaluates a literal or a supported query.
fn value(text: &str, context: &ModelContext) -> Option<String> {
    if let Some(inner) = literal(text) {
        return (!inner.contains('\\')).then(|| inner.to_owned());
    }
    if let Some(inner) = text.strip_prefix('f').and_then(literal) {
        return formatted(inner, context);
    }
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(text.to_owned());
    }
    if let Some(name) = call(text, &["os.environ.get", "os.getenv"]) {
        let given = split(name, ',');
        let found = context.env.get(literal(given.first()?.trim())?).cloned();
        return found.or_else(|| given.get(1).map_or(Some("None".to_owned()), |d| value(d.trim(), context)));
    }
    if let Some(name) = text.strip_prefix("os.environ[").and_then(|t| t.strip_suffix(']')) {
        return context.env.get(literal(name)?).cloned();
    }
    let host = || context.env.get("HOSTNAME").cloned().unwrap_or_default();
    Some(match text {
        "socket.gethostname()" | "platform.node()" | "os.uname().nodename" | "os.uname()[1]" => host(),
        "os.cpu_count()" | "len(os.sched_getaffinity(0))" => context.cpus.to_string(),
        "torch.cuda.is_available()" => if context.gpus.is_empty() { "False" } else { "True" }.to_owned(),
        "torch.cuda.device_count()" => context.gpus.len().to_string(),
        "torch.__version__" => "2.2.0".to_owned(),
        "sys.version" => "3.11.2 (main, Mar 13 2023, 12:18:29) [GCC 12.2.0]".to_owned(),
        "True" | "False" | "None" => text.to_owned(),
        _ => return None,
    })
}

/// The contents of a plain string literal.
fn literal(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|q| matches!(q, '"' | '\''))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(quote)).then_some(inner)
}

/// Formats an f-string.
fn formatted(text: &str, context: &ModelContext) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (expression, behind) = after.split_once('}')?;
        out += before;
        out += &value(expression.trim(), context)?;
        rest = behind;
    }
    Some(out + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn run(program: &str) -> Option<(Vec<String>, i64, u8)> {
        let env = Arc::new([("N".to_owned(), "7".to_owned())].into_iter().collect());
        let context = ModelContext { env, cpus: 4, gpus: vec![0], ..ModelContext::default() };
        let plan = read(program, &context)?;
        let lines = plan.lines.iter().map(|l| l.2.clone()).collect();
        Some((lines, plan.time.unwrap_or_default().0.secs(), plan.exit))
    }

    #[test]
    fn short_programs() {
        let lines = |lines: &[&str], seconds, exit| {
            Some((lines.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>(), seconds, exit))
        };
        assert_eq!(
            run("import time; print('a; b', 3); time.sleep(5); print(\"c\")"),
            lines(&["a; b 3", "c"], 5, 0)
        );
        assert_eq!(run("import os\nprint(os.environ['N'], os.getenv('X', 'no'))"), lines(&["7 no"], 0, 0));
        assert_eq!(run("print(f'task {os.environ.get(\"N\")} of 9')"), lines(&["task 7 of 9"], 0, 0));
        assert_eq!(
            run("import torch, sys\nprint(torch.cuda.is_available())\nsys.exit(3)"),
            lines(&["True"], 0, 3)
        );
        assert_eq!(run(""), lines(&[], 0, 0));
        for other in [
            "x = 1",
            "for i in range(3):\n    print(i)",
            "print(x)",
            "import os; os.system('ls')",
            "print('a\\n')",
        ] {
            assert_eq!(run(other), None, "{other}");
        }
    }
}
