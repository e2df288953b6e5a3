//! A filter compiled by jaq, and the data that it reads besides its input.

use crate::bound::{self, InUse};
use crate::natives;
use crate::value::Json;
use base::time::Time;
use jaq_core::load::lex::{Lexer, StrPart, Tok, Token};
use jaq_core::load::parse::{BinaryOp, Def, Parser, Term};
use jaq_core::load::{Arena, File, Loader, span};
use jaq_core::path::Part;
use jaq_core::{Compiler, Ctx, DataT, Exn, Filter, Lut, Vars, data::HasLut};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Maximum nesting of brackets in a program.
const MAX_BRACKETS: usize = 64;
/// Maximum nesting of terms: each bracket, operator and keyword around a term counts.
const MAX_NESTING: usize = 400;
/// The name of the whole program, as a definition.
const MAIN: &str = "_main";

/// Tells jaq the types of values and of global data.
pub struct JqData;

impl DataT for JqData {
    type V<'a> = Json;
    type Data<'a> = JqAccess<'a>;
}

/// The data that a running program accesses besides its input.
#[derive(Default)]
pub struct Around {
    /// Virtual time.
    pub now: Time,
    /// The file that is read.
    pub file: Option<String>,
    /// Lines read so far.
    pub lines: u64,
    /// The remaining inputs for `input`, in reverse order.
    pub inputs: Cell<Vec<Result<Json, String>>>,
    /// The messages of `debug`, `stderr` and `halt_error`.
    pub messages: Cell<String>,
    /// The exit code of `halt` or `halt_error`.
    pub halt: Cell<Option<i32>>,
}

/// A reference to [`Around`] that counts contexts and work.
#[derive(Clone)]
pub struct JqAccess<'a> {
    lut: &'a Lut<JqData>,
    /// The data besides the input.
    pub around: &'a Around,
    _in_use: InUse,
}

impl<'a> HasLut<'a, JqData> for JqAccess<'a> {
    fn lut(&self) -> &'a Lut<JqData> {
        bound::charge(1);
        self.lut
    }
}

/// A compiled program.
pub struct Program {
    filter: Filter<JqData>,
    /// Whether it takes inputs itself.
    pub takes_inputs: bool,
}

impl Program {
    /// Compiles a program. `names` are its global variables, with `$`.
    ///
    /// # Errors
    /// jq's messages.
    pub fn new(code: &str, names: &[String]) -> Result<Self, Vec<String>> {
        let code = &joined_surrogates(code);
        let padded = match code.trim_end() {
            "" => ".".to_owned(),
            // A file of definitions only.
            text if text.ends_with(';') => format!("{code} ."),
            _ => code.to_owned(),
        };
        let code = padded.as_str();
        let deep = || vec!["the program is nested too deeply (the limit in sandbatch)".to_owned()];
        if brackets(code) > MAX_BRACKETS {
            return Err(deep());
        }
        let at = |part: &str| {
            let start = span(code, part).start.min(code.len());
            let before = code.get(..start).unwrap_or_default();
            let line = before.matches('\n').count();
            let text = code.lines().nth(line).unwrap_or_default();
            // jq marks the column with this many spaces after the line.
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
            format!(" at <top-level>, line {}:\n{text}{}", line + 1, " ".repeat(column))
        };
        let syntax = |found: Option<String>, part: &str| {
            let found = found.unwrap_or_else(|| "end of file".to_owned());
            format!("syntax error, unexpected {found} (Unix shell quoting issues?){}", at(part))
        };
        // The last token.
        let end = code.trim_end();
        let end = end
            .get(end.rfind(|c: char| !is_word(c)).map_or(0, |at| (at + 1).min(end.len() - 1))..)
            .unwrap_or(end);
        let tokens = Lexer::new(code).lex().map_err(|errors| {
            let part = errors.last().map_or(end, |(_, part)| *part);
            let found = match part.chars().next() {
                Some('(' | '[' | '{' | '"') | None => None,
                Some(_) => Some("INVALID_CHARACTER".to_owned()),
            };
            let part = if found.is_some() { part } else { end };
            vec![syntax(found, part)]
        })?;
        if nesting(&tokens) > MAX_NESTING {
            return Err(deep());
        }
        let mut main = Parser::new(&tokens).parse(|p| p.term()).map_err(|errors| {
            let found = errors.first().and_then(|(_, token)| *token);
            vec![syntax(found.map(token_name), found.map_or(end, |Token(part, _)| *part))]
        })?;
        if calls(&mut main, &["import", "include"]) {
            return Err(vec!["modules are not simulated in sandbatch".to_owned()]);
        }
        let takes_inputs = calls(&mut main, &["input", "inputs"]);
        guard(&mut main);
        let defs = definitions(&mut main).into_iter();
        let main = Def { name: MAIN, args: Vec::new(), body: main };
        let arena = Arena::default();
        let modules = Loader::new(defs.chain([main]))
            .load(&arena, File { code: MAIN, path: () })
            .map_err(|_| vec!["the program cannot be loaded".to_owned()])?;
        let filter = Compiler::default()
            .with_funs(natives::all())
            .with_global_vars(names.iter().map(String::as_str))
            .compile(modules)
            .map_err(|errors| {
                let undefined = errors.into_iter().flat_map(|(_, errors)| errors);
                undefined
                    .map(|(name, kind)| format!("{} is not defined{}", undefined_name(name, &kind), at(name)))
                    .collect::<Vec<_>>()
            })?;
        Ok(Self { filter, takes_inputs })
    }

    /// Runs the program on an input and passes each output to `take`, until that returns false.
    ///
    /// # Errors
    /// The error that ended it.
    pub fn run(
        &self,
        around: &Around,
        globals: &[Json],
        input: Json,
        mut take: impl FnMut(Json),
    ) -> Result<(), Json> {
        let access = JqAccess { lut: &self.filter.lut, around, _in_use: InUse::new() };
        let context = Ctx::<JqData>::new(access, Vars::new(globals.iter().cloned()));
        for output in self.filter.id.run((context, input)) {
            if bound::reached().is_some() {
                break;
            }
            match output {
                Ok(value) => take(value),
                Err(error) => return ended(around, error),
            }
        }
        match bound::reached() {
            Some(bound) => Err(Json::Text(bound.text().into())),
            None => Ok(()),
        }
    }
}

/// Replaces escapes of surrogate pairs, which jaq does not read, by their character.
fn joined_surrogates(code: &str) -> String {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let pair = unit(escape).zip(escape.get(6..).and_then(unit));
        let joined =
            pair.and_then(|(a, b)| String::from_utf16(&[a, b]).ok()).filter(|text| text.chars().count() == 1);
        let length = if joined.is_some() { 12 } else { escape.chars().take(2).map(char::len_utf8).sum() };
        let (escape, after) = escape.split_at(length);
        out.push_str(joined.as_deref().unwrap_or(escape));
        rest = after;
    }
    out + rest
}

/// The end of a program by an error or `halt`.
fn ended(around: &Around, error: Exn<'_, Json>) -> Result<(), Json> {
    if let Some(bound) = bound::reached() {
        return Err(Json::Text(bound.text().into()));
    }
    match error.get_err() {
        Ok(error) => Err(error.into_val()),
        Err(other) => match other.get_halt() {
            Ok(code) => {
                around.halt.set(Some(code));
                Ok(())
            }
            Err(_) => Err(Json::Text("break".into())),
        },
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn undefined_name(name: &str, kind: &jaq_core::compile::Undefined) -> String {
    match kind {
        jaq_core::compile::Undefined::Filter(arity) => format!("{name}/{arity}"),
        jaq_core::compile::Undefined::Label => format!("$*label-{}", name.trim_start_matches('$')),
        _ => name.to_owned(),
    }
}

/// A token as jq's parser names it.
fn token_name(Token(text, kind): &Token<&str>) -> String {
    const WORDS: [&str; 18] = [
        "if", "then", "else", "elif", "end", "as", "def", "reduce", "foreach", "try", "catch", "label",
        "and", "or", "import", "include", "__loc__", "break",
    ];
    match kind {
        Tok::Word if WORDS.contains(text) => (*text).to_owned(),
        Tok::Word => "IDENT".to_owned(),
        Tok::Var => "'$'".to_owned(),
        Tok::Fmt => "FORMAT".to_owned(),
        Tok::Num => "LITERAL".to_owned(),
        Tok::Str(_) => "QQSTRING_START".to_owned(),
        Tok::Sym if text.len() > 1 && text.starts_with('.') => "FIELD".to_owned(),
        Tok::Sym if text.len() > 1 => (*text).to_owned(),
        Tok::Sym => format!("'{text}'"),
        Tok::Block(_) => format!("'{}'", text.get(..1).unwrap_or_default()),
    }
}

/// The depth of brackets, including those in strings.
fn brackets(code: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in code.bytes() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// An upper bound of the nesting of terms in these tokens.
fn nesting(tokens: &[Token<&str>]) -> usize {
    let (mut run, mut most) = (0, 0);
    for Token(text, kind) in tokens {
        match kind {
            Tok::Sym if *text == ";" => run = 0,
            Tok::Sym if text.starts_with('.') => {}
            Tok::Sym | Tok::Word => run += 1,
            Tok::Block(inner) => most = most.max(run + 1 + nesting(inner)),
            Tok::Str(parts) => {
                for part in parts {
                    if let StrPart::Term(token) = part {
                        most = most.max(run + 1 + nesting(std::slice::from_ref(token)));
                    }
                }
            }
            Tok::Var | Tok::Fmt | Tok::Num => {}
        }
        most = most.max(run);
    }
    most
}

/// Applies a function to the terms directly below a term.
fn below<'s>(term: &mut Term<&'s str>, f: &mut dyn FnMut(&mut Term<&'s str>)) {
    match term {
        Term::Id | Term::Recurse | Term::Num(_) | Term::Break(_) | Term::Var(_) | Term::Arr(None) => {}
        Term::Str(_, parts) => {
            for part in parts {
                if let StrPart::Term(term) = part {
                    f(term);
                }
            }
        }
        Term::Arr(Some(inner)) | Term::Neg(inner) | Term::Label(_, inner) => f(inner),
        Term::Obj(fields) => {
            for (key, value) in fields {
                f(key);
                value.iter_mut().for_each(&mut *f);
            }
        }
        Term::BinOp(left, _, right) => {
            f(left);
            f(right);
        }
        Term::Fold(_, source, _, rest) => {
            f(source);
            rest.iter_mut().for_each(f);
        }
        Term::TryCatch(inner, catch) => {
            f(inner);
            catch.iter_mut().for_each(|term| f(term));
        }
        Term::IfThenElse(cases, other) => {
            for (condition, then) in cases {
                f(condition);
                f(then);
            }
            other.iter_mut().for_each(|term| f(term));
        }
        Term::Def(defs, inner) => {
            defs.iter_mut().for_each(|def| f(&mut def.body));
            f(inner);
        }
        Term::Call(_, arguments) => arguments.iter_mut().for_each(f),
        Term::Path(inner, path) => {
            f(inner);
            for (part, _) in &mut path.0 {
                match part {
                    Part::Index(index) => f(index),
                    Part::Range(from, to) => from.iter_mut().chain(to).for_each(&mut *f),
                }
            }
        }
    }
}

/// The definitions of jaq and of this module that a program uses.
fn definitions<'s>(main: &mut Term<&'s str>) -> Vec<Def<&'s str>> {
    let ours = jaq_core::load::parse(include_str!("defs.jq"), |p| p.defs()).unwrap_or_default();
    let all: Vec<Def<&str>> =
        jaq_core::defs().filter(|def| !natives::is_ours(def.name, def.args.len())).chain(ours).collect();
    let mut used = BTreeSet::new();
    names(main, &mut used);
    let mut needed = Vec::new();
    for mut def in all.into_iter().rev() {
        // The parser and the compiler generate calls of these.
        if used.contains(def.name) || matches!(def.name, "empty" | "tostring" | "not") {
            names(&mut def.body, &mut used);
            guard_def(&mut def);
            needed.push(def);
        }
    }
    needed.reverse();
    needed
}

/// Collects the names of the functions that a term calls.
fn names<'s>(term: &mut Term<&'s str>, found: &mut BTreeSet<&'s str>) {
    if let Term::Call(name, _) = term {
        found.insert(name);
    }
    if let Term::Str(Some(format), _) = term {
        found.insert(format);
    }
    below(term, &mut |inner| names(inner, found));
}

/// Whether one of these functions is called in a term.
fn calls(term: &mut Term<&str>, names: &[&str]) -> bool {
    let mut found = matches!(term, Term::Call(name, _) if names.contains(name));
    below(term, &mut |inner| found = found || calls(inner, names));
    found
}

/// Inserts a check of the bounds at the start of recursive definitions, so every iteration of a loop is checked.
fn guard(term: &mut Term<&str>) {
    if let Term::Def(defs, inner) = term {
        defs.iter_mut().for_each(guard_def);
        guard(inner);
    } else {
        below(term, &mut guard);
    }
}

fn guard_def(def: &mut Def<&str>) {
    guard(&mut def.body);
    if calls(&mut def.body, &[def.name]) {
        let body = Box::new(std::mem::take(&mut def.body));
        let passes = def.args.iter().any(|name| !name.starts_with('$'));
        let check = if passes { natives::CHECK_PASSING } else { natives::CHECK };
        let check = Box::new(Term::Call(check, Vec::new()));
        def.body = Term::BinOp(check, BinaryOp::Pipe(None), body);
    }
}
