//! The errors of gfortran: quotes and blocks that are not closed, commas and brackets that are missing, modules that are
//! not there. Anything else compiles.

use super::CompilerFacts;
use super::check::source_line;
use super::fortran_lex::without_comment;

/// A compiler's messages about a Fortran source; empty if it compiles.
pub(super) fn complaints(compiler: &CompilerFacts, file: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let (mut ended, mut continued) = (false, false);
    for (number, line) in (1_u32..).zip(source.lines()) {
        let code = without_comment(line);
        let text = code.trim().to_ascii_lowercase();
        let indent = code.len() - code.trim_start().len();
        if text.is_empty() || code.trim_start().starts_with(['!', '#']) {
            continue;
        }
        let first = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        if !continued {
            if !compiler.mpi
                && !compiler.searches
                && let Some(message) = missing(file, source, number, &text, indent)
            {
                found.extend(message);
                return found;
            }
            if let Some((column, why)) = statement_error(code, &text, indent, line) {
                found.extend(report(file, source, number, column, &why));
                continue;
            }
        }
        let was_continued = std::mem::replace(&mut continued, code.trim_end().ends_with('&'));
        if was_continued {
            continue;
        }
        ended = false;
        match block_of(&text, first) {
            Some(FortranBlock::Opens(kind)) => open.push(kind),
            Some(FortranBlock::Closes(kind)) => match open.last() {
                Some(last) if *last == kind => drop(open.pop()),
                Some(last) => {
                    let why = format!("Expecting END {} statement at (1)", last.to_ascii_uppercase());
                    found.extend(report(file, source, number, indent + 3, &why));
                }
                None => {}
            },
            Some(FortranBlock::Ends) => match open.last() {
                Some(last) => {
                    let why = format!("Expecting END {} statement at (1)", last.to_ascii_uppercase());
                    found.extend(report(file, source, number, indent + 3, &why));
                }
                None => ended = true,
            },
            None => {}
        }
    }
    if !ended && source.lines().any(|line| !line.trim().is_empty()) {
        found.push(format!("f951: Error: Unexpected end of file in ‘{file}’"));
    }
    found
}

/// What a statement does to the blocks around it.
enum FortranBlock {
    Opens(&'static str),
    Closes(&'static str),
    /// The end of the program or a procedure.
    Ends,
}

fn block_of(text: &str, first: &str) -> Option<FortranBlock> {
    let then = text.ends_with("then") && (first == "if" || text.contains(": if") || text.contains(":if"));
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    // `do 10 i = 1, 3` ends with its label.
    let labelled = text
        .strip_prefix("do ")
        .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    if then {
        Some(FortranBlock::Opens("if"))
    } else if first == "do" && !labelled && !squeezed.starts_with("do=") {
        Some(FortranBlock::Opens("do"))
    } else if squeezed.starts_with("endif") {
        Some(FortranBlock::Closes("if"))
    } else if squeezed.starts_with("enddo") {
        Some(FortranBlock::Closes("do"))
    } else if squeezed == "end"
        || ["endprogram", "endsubroutine", "endfunction", "endmodule"]
            .iter()
            .any(|word| squeezed.starts_with(word))
    {
        Some(FortranBlock::Ends)
    } else {
        None
    }
}

/// An error within a statement: its column and the message.
fn statement_error(code: &str, text: &str, indent: usize, line: &str) -> Option<(usize, String)> {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            (c, Some((open, _))) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some((c, at)),
            ('!', None) => break,
            _ => {}
        }
    }
    if code.trim_end().ends_with('&') {
        return None;
    }
    if let Some((_, at)) = quote {
        return Some((at + 2, "Unterminated character constant beginning at (1)".to_owned()));
    }
    let rest = text.strip_prefix("print")?.trim_start();
    let behind = rest.strip_prefix('*')?;
    let missing = !behind.trim_start().is_empty() && !behind.trim_start().starts_with(',');
    let star = text.find('*')? + indent;
    missing.then(|| (star + 2, "Expected comma in I/O list at (1)".to_owned()))
}

/// MPI's module or file, where the compiler does not bring it.
fn missing(file: &str, source: &str, line: u32, text: &str, indent: usize) -> Option<Vec<String>> {
    let end = "compilation terminated.".to_owned();
    let name = text.strip_prefix("use ").map(str::trim_start).and_then(|rest| rest.split([',', ' ']).next());
    if let Some(name @ ("mpi" | "mpi_f08")) = name {
        let mut all = vec![format!("{file}:{line}:{}:", indent + 5), String::new()];
        all.push(format!("{line:>5} | {}", source_line(source, line)));
        all.push(format!("      | {}1", " ".repeat(indent + 4)));
        all.push(format!(
            "Fatal Error: Cannot open module file ‘{name}.mod’ for reading at (1): No such file or directory"
        ));
        all.push(end);
        return Some(all);
    }
    let included = text.strip_prefix("include")?.trim().trim_matches(['\'', '"']);
    (included == "mpif.h").then(|| {
        vec![
            format!("{file}:{line}:0:"),
            String::new(),
            format!("{line:>5} | {}", source_line(source, line)),
            "      | ".to_owned(),
            "Fatal Error: Cannot open included file ‘mpif.h’".to_owned(),
            end,
        ]
    })
}

fn report(file: &str, source: &str, line: u32, column: usize, why: &str) -> Vec<String> {
    vec![
        format!("{file}:{line}:{column}:"),
        String::new(),
        format!("{line:>5} | {}", source_line(source, line)),
        format!("      | {}1", " ".repeat(column.saturating_sub(1))),
        format!("Error: {why}"),
    ]
}
