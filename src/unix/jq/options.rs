//! The command line, which jq parses in its own way: combined letters (`-nr`) in any order, options after operands,
//! and options with two arguments.

use crate::{Cx, STDIN, STDOUT};
use host::path;
use jq::read;
use jq::value::Json;
use jq::write::{JsonFormat, compact};
use serde::{Deserialize, Serialize};

/// The options.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct JqOptions {
    /// `-n`
    pub null_input: bool,
    /// `-R`
    pub raw_input: bool,
    /// `-s`
    pub slurp: bool,
    /// `--stream`
    pub stream: bool,
    /// `-r`
    pub raw_output: bool,
    /// `--raw-output0`
    pub nul: bool,
    /// `-j`
    pub joined: bool,
    /// `--seq`
    pub sequence: bool,
    /// `-e`
    pub exit_status: bool,
    /// How values are printed.
    pub format: JsonFormat,
    /// The filter.
    pub program: String,
    /// The files.
    pub files: Vec<String>,
    /// Names and values (as JSON) of `--arg` and similar options.
    pub named: Vec<(String, String)>,
    /// The values (as JSON) after `--args`.
    pub positional: Vec<String>,
}

const HELP: &str = "Usage:\tjq [OPTIONS] FILTER [FILE...]
\tjq [OPTIONS] --args FILTER [STRING...]
\tjq [OPTIONS] --jsonargs FILTER [JSON...]

jq is a command-line JSON processor.

  -n, --null-input          use `null` as the single input value
  -R, --raw-input           read each line as string instead of JSON
  -s, --slurp               read all inputs into an array
  -c, --compact-output      one line for each value
  -r, --raw-output          strings without escapes and quotes
      --raw-output0         like -r, with NUL after each value
  -j, --join-output         like -r, without a newline after each value
  -a, --ascii-output        characters beyond ASCII as escapes
  -S, --sort-keys           sort the keys of each object
  -C, --color-output        colour the output
  -M, --monochrome-output   no colours
      --tab                 indent with tabs
      --indent N            indent with N spaces (at most 7)
      --stream              read values in a streaming form
      --seq                 RS before each value
  -f, --from-file           read the filter from a file
      --arg NAME VALUE      set $NAME to a string
      --argjson NAME VALUE  set $NAME to a JSON value
      --slurpfile NAME FILE set $NAME to an array of the values in a file
      --rawfile NAME FILE   set $NAME to the text of a file
      --args                the remaining arguments are strings
      --jsonargs            the remaining arguments are JSON values
  -e, --exit-status         exit code 1 if the last value is false or null, 4 if there is none
  -V, --version             show the version
  -h, --help                show this help
";

/// Reads the command line. After printing a message, returns the exit code.
pub fn parse(cx: &mut Cx) -> Result<JqOptions, u8> {
    let name = cx.argv.first().cloned().unwrap_or_default();
    let mut options =
        JqOptions { format: JsonFormat { indent: 2, ..JsonFormat::default() }, ..JqOptions::default() };
    let mut program: Option<String> = None;
    let mut from_file = false;
    let mut color = None;
    let (mut strings, mut values, mut done) = (false, false, false);
    let mut words = cx.args().to_vec().into_iter();
    while let Some(word) = words.next() {
        let is_option = word.starts_with("--")
            || word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        if done || !is_option {
            match &program {
                None => program = Some(word),
                Some(_) if strings => options.positional.push(compact(&Json::text(word))),
                Some(_) if values => match read::only(&word) {
                    Ok(Some(value)) => options.positional.push(compact(&value)),
                    Ok(None) | Err(_) => {
                        return Err(usage(cx, &format!("{name}: invalid JSON text passed to --jsonargs")));
                    }
                },
                Some(_) => options.files.push(word),
            }
            continue;
        }
        let Some(long) = word.strip_prefix("--") else {
            for letter in word.chars().skip(1) {
                match letter {
                    's' => options.slurp = true,
                    'r' => options.raw_output = true,
                    'j' => (options.raw_output, options.joined) = (true, true),
                    'c' => (options.format.indent, options.format.tab) = (0, false),
                    'C' => color = Some(true),
                    'M' => color = Some(false),
                    'a' => options.format.ascii = true,
                    'S' => options.format.sorted = true,
                    'R' => options.raw_input = true,
                    'n' => options.null_input = true,
                    'f' => from_file = true,
                    'e' => options.exit_status = true,
                    'h' => return Err(help(cx)),
                    'V' => return Err(version(cx)),
                    _ => return Err(usage(cx, &format!("{name}: Unknown option {word}"))),
                }
            }
            continue;
        };
        match long {
            "" => done = true,
            "slurp" => options.slurp = true,
            "raw-output" => options.raw_output = true,
            "raw-output0" => (options.raw_output, options.joined, options.nul) = (true, true, true),
            "join-output" => (options.raw_output, options.joined) = (true, true),
            "compact-output" => (options.format.indent, options.format.tab) = (0, false),
            "color-output" => color = Some(true),
            "monochrome-output" => color = Some(false),
            "ascii-output" => options.format.ascii = true,
            "unbuffered" => {}
            "sort-keys" => options.format.sorted = true,
            "raw-input" => options.raw_input = true,
            "null-input" => options.null_input = true,
            "from-file" => from_file = true,
            "tab" => options.format.tab = true,
            "seq" => options.sequence = true,
            "stream" => options.stream = true,
            "exit-status" => options.exit_status = true,
            "args" => (strings, values) = (true, false),
            "jsonargs" => (strings, values) = (false, true),
            "help" => return Err(help(cx)),
            "version" => return Err(version(cx)),
            "indent" => {
                let Some(width) = words.next() else {
                    return Err(usage(cx, &format!("{name}: --indent takes one parameter")));
                };
                match width.parse::<i8>().unwrap_or(0) {
                    width @ 0..=7 => options.format.indent = width.unsigned_abs(),
                    -1 => options.format.indent = 0,
                    _ => {
                        let text = format!("{name}: --indent takes a number between -1 and 7");
                        return Err(usage(cx, &text));
                    }
                }
                options.format.tab = false;
            }
            "arg" | "argjson" | "slurpfile" | "rawfile" => {
                let (Some(variable), Some(value)) = (words.next(), words.next()) else {
                    let what = match long {
                        "arg" => "value",
                        "argjson" => "text",
                        _ => "filename",
                    };
                    let text =
                        format!("{name}: --{long} takes two parameters (e.g. --{long} varname {what})");
                    return Err(usage(cx, &text));
                };
                let value = argument(cx, &name, long, &variable, value)?;
                if !options.named.iter().any(|(name, _)| *name == variable) {
                    options.named.push((variable, value));
                }
            }
            _ => return Err(usage(cx, &format!("{name}: Unknown option {word}"))),
        }
    }
    let on_terminal = cx.is_tty(STDOUT);
    let no_color = cx.env.get("NO_COLOR").is_some_and(|value| !value.is_empty());
    options.format.color = color.unwrap_or(on_terminal && !no_color);
    if program.is_none() && !(on_terminal && cx.is_tty(STDIN)) {
        program = Some(".".to_owned());
    }
    let Some(program) = program else {
        cx.complain_raw(HELP);
        return Err(2);
    };
    options.program = program;
    if from_file {
        let file = std::mem::take(&mut options.program);
        match cx.read_file(&file) {
            Ok(text) => options.program = String::from_utf8_lossy(&text).into_owned(),
            Err(errno) => {
                cx.complain(&format!("{name}: Could not open {file}: {errno}"));
                return Err(2);
            }
        }
    }
    Ok(options)
}

/// The value of a named argument, as JSON.
fn argument(cx: &mut Cx, name: &str, option: &str, variable: &str, value: String) -> Result<String, u8> {
    match option {
        "arg" => return Ok(compact(&Json::text(value))),
        "argjson" => match read::only(&value) {
            Ok(Some(value)) => return Ok(compact(&value)),
            Ok(None) | Err(_) => {
                return Err(usage(cx, &format!("{name}: invalid JSON text passed to --argjson")));
            }
        },
        _ => {}
    }
    let why = match cx.read_file(&value) {
        Err(errno) => format!("Could not open {value}: {errno}"),
        Ok(data) if option == "rawfile" => return Ok(compact(&Json::text(String::from_utf8_lossy(&data)))),
        Ok(data) => {
            let mut reader = read::JsonReader::new(&data, true, read::Position::default());
            match std::iter::from_fn(|| reader.value()).collect::<Result<Vec<_>, _>>() {
                Ok(values) => return Ok(compact(&Json::array(values))),
                Err(why) => why,
            }
        }
    };
    cx.complain(&format!("{name}: Bad JSON in --{option} {variable} {value}: {why}"));
    Err(2)
}

fn usage(cx: &mut Cx, text: &str) -> u8 {
    cx.complain(text);
    let name = cx.argv.first().map_or("jq", |name| path::base_name(name)).to_owned();
    cx.complain(&format!("Use {name} --help for help with command-line options,"));
    cx.complain("or see the jq manpage, or online docs  at https://jqlang.github.io/jq");
    2
}

fn help(cx: &mut Cx) -> u8 {
    cx.print(HELP);
    0
}

fn version(cx: &mut Cx) -> u8 {
    cx.line("jq-1.7.1");
    0
}
