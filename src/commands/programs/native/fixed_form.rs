//! Fortran in columns: a letter in the first one makes a comment, any in the sixth continues the line before.

use super::fortran_lex::without_comment;

/// The same program in free form. Labels of statements stay at the start of their lines.
pub(super) fn free(source: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in source.lines() {
        let first = line.chars().next().unwrap_or(' ');
        let omp = line.get(1..5).is_some_and(|start| start.eq_ignore_ascii_case("$omp"));
        if omp && matches!(first, '!' | 'c' | 'C' | '*') {
            let rest = line.get(5..).unwrap_or("");
            // `!$omp&` continues a directive.
            match (rest.strip_prefix(|c: char| !c.is_whitespace()), lines.last_mut()) {
                (Some(more), Some(last)) => *last = format!("{last} {}", more.trim()),
                _ => lines.push(format!("!$omp {}", rest.trim())),
            }
            continue;
        }
        if matches!(first, 'c' | 'C' | '*' | '!') {
            lines.push(String::new());
            continue;
        }
        // A tab ends the columns of labels.
        let columns = if first == '\t' { 1 } else { 5 };
        let (label, rest) = line.split_at_checked(columns).unwrap_or((line, ""));
        let sixth = rest.chars().next().filter(|_| columns == 5).unwrap_or(' ');
        let code = without_comment(rest.get(sixth.len_utf8().min(rest.len())..).unwrap_or(""));
        let continues = label.trim().is_empty() && !matches!(sixth, ' ' | '0' | '\t');
        let open = lines.iter_mut().rev().find(|line| !line.is_empty());
        match open.filter(|_| continues) {
            Some(last) => last.push_str(code),
            None if columns == 5 => lines.push(format!("{label} {code}")),
            None => lines.push(rest.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::free;

    #[test]
    fn columns() {
        let old = "c a comment\n      print *, 'a',\n     &  'b'\n  100 format (a)\nc$omp parallel\nc$omp& private(i)\n";
        assert_eq!(free(old), "\n      print *, 'a',  'b'\n  100 format (a)\n!$omp parallel private(i)\n");
    }
}
