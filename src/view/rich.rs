//! Sentences with markup for job links and code. Marks are control characters, which no name contains.

const JOB: char = '\u{1}';
const CODE: char = '\u{2}';
const END: char = '\u{3}';

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextSpan {
    /// Plain text.
    Text(String),
    /// A job ID, which links to the job.
    Job(String),
    /// A Slurm term, an option or a path, in code style.
    Code(String),
}

/// Marks a job ID.
#[must_use]
pub fn job(id: &str) -> String {
    marked(JOB, id)
}

/// Marks code.
#[must_use]
pub fn code(text: &str) -> String {
    marked(CODE, text)
}

fn marked(mark: char, text: &str) -> String {
    let plain = text.chars().filter(|c| !c.is_control());
    [mark].into_iter().chain(plain).chain([END]).collect()
}

/// Splits a sentence into pieces.
#[must_use]
pub fn spans(text: &str) -> Vec<TextSpan> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find([JOB, CODE]) {
        let (before, marked) = rest.split_at(at);
        if !before.is_empty() {
            all.push(TextSpan::Text(before.to_owned()));
        }
        let end = marked.find(END).unwrap_or(marked.len());
        let inner = marked.get(1..end).unwrap_or_default().to_owned();
        all.push(if marked.starts_with(JOB) { TextSpan::Job(inner) } else { TextSpan::Code(inner) });
        rest = marked.get(end + 1..).unwrap_or_default();
    }
    if !rest.is_empty() {
        all.push(TextSpan::Text(rest.to_owned()));
    }
    all
}

/// Inserts non-breaking spaces between numbers and units and before French punctuation.
#[must_use]
pub fn unbroken(text: &str) -> String {
    let (mut out, mut last) = (String::with_capacity(text.len() + 8), ' ');
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let before_sign = rest.peek().is_some_and(|next| ":;!?»".contains(*next));
        let kept = c == ' ' && (last.is_ascii_digit() || last == '«' || before_sign);
        out.push(if kept { '\u{a0}' } else { c });
        last = c;
    }
    out
}

/// A sentence without marks.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| ![JOB, CODE, END].contains(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_with_their_units() {
        let seen = |text| unbroken(text).replace('\u{a0}', "_");
        assert_eq!(seen("in 49 min 5 s, on 2 nodes"), "in 49_min 5_s, on 2_nodes");
        assert_eq!(seen("Elle attend : « oui » ; non"), "Elle attend_: «_oui_»_; non");
    }

    #[test]
    fn marks_become_spans() {
        let text = format!("wait for {} ({})", job("12_[3-4]"), code("afterok\u{3}"));
        let pieces = [
            TextSpan::Text("wait for ".into()),
            TextSpan::Job("12_[3-4]".into()),
            TextSpan::Text(" (".into()),
            TextSpan::Code("afterok".into()),
            TextSpan::Text(")".into()),
        ];
        assert_eq!(spans(&text), pieces);
        assert_eq!(plain(&text), "wait for 12_[3-4] (afterok)");
        assert_eq!(spans("\u{1}é"), [TextSpan::Job("é".into())]);
    }
}
