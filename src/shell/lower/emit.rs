//! Emits ops for the pieces of words.

use super::brace::long_sequence;
use super::word::{ParamAction, ParamPiece, Word, WordPiece};
use super::{LowerResult, SourceParser, offset};
use crate::formula::Formula;
use crate::op::{Index, Mode, Op, Param, ParameterTest};
use crate::pattern::MARK;
use std::sync::Arc;

impl SourceParser<'_> {
    /// Emits a word that expands to arguments, with brace expansion.
    pub(super) fn emit_args(&mut self, word: Word) -> LowerResult<()> {
        if self.options.braces
            && let Some(op) = long_sequence(&word)
        {
            self.ops.push(op);
            return Ok(());
        }
        for word in self.braces(word)? {
            match self.simple_argument(&word) {
                Some(op) => self.ops.push(op),
                None => {
                    self.emit_word(&word, Mode::Args);
                    self.ops.push(Op::EndArgs);
                }
            }
        }
        Ok(())
    }

    /// The single op for a word that is only text without wildcards, or only a parameter.
    fn simple_argument(&self, word: &Word) -> Option<Op> {
        match word.as_slice() {
            [WordPiece::Param(param)]
                if matches!((&param.action, param.index), (ParamAction::None, Index::None)) =>
            {
                Some(Op::ArgParam(plain_param(param)))
            }
            [WordPiece::Lit(text, quoted)] if *quoted || !text.contains(['*', '?', '[', '\\', '(', MARK]) => {
                (*quoted || !text.is_empty()).then(|| Op::Arg(text.as_str().into()))
            }
            _ => None,
        }
    }

    /// Emits a word, without the op that ends it.
    pub(super) fn emit_word(&mut self, word: &Word, mode: Mode) {
        self.ops.push(Op::Begin(mode));
        self.emit_pieces(word, false);
    }

    fn emit_pieces(&mut self, word: &Word, split: bool) {
        for piece in word {
            match piece {
                WordPiece::Lit(text, quoted) => {
                    self.ops.push(Op::Lit { text: text.clone(), quoted: *quoted, split: split && !quoted })
                }
                WordPiece::Tilde(user) => self.ops.push(Op::Tilde(user.clone())),
                WordPiece::Substitute(code, quoted) => self.ops.push(Op::Substitute(code.clone(), *quoted)),
                WordPiece::ProcessSub(code, read) => self.ops.push(Op::ProcessSub(code.clone(), *read)),
                WordPiece::Bad(text) => self.ops.push(Op::BadSubstitution(text.clone())),
                WordPiece::Arith(inner, quoted) => match formula(inner) {
                    Some(formula) => self.ops.push(Op::Formula(formula, *quoted)),
                    None => {
                        self.emit_text(inner, Mode::Text);
                        self.ops.push(Op::Arith(*quoted));
                    }
                },
                WordPiece::Param(param) => self.emit_param(param),
            }
        }
    }

    /// Emits a word that is pushed to the text stack.
    fn emit_text(&mut self, word: &Word, mode: Mode) {
        self.emit_word(word, mode);
        self.ops.push(Op::End);
    }

    fn emit_param(&mut self, piece: &ParamPiece) {
        let param = plain_param(piece);
        if piece.index == Index::Key {
            self.emit_text(&piece.subscript, Mode::Text);
        }
        match &piece.action {
            ParamAction::None => self.ops.push(Op::Param(param)),
            ParamAction::Modify { modify, words } => {
                for (word, pattern) in words {
                    self.emit_text(word, if *pattern { Mode::Pattern } else { Mode::Text });
                }
                self.ops.push(Op::Modify(param, *modify));
            }
            ParamAction::Test { test, colon, word } => {
                let at = self.ops.len();
                self.ops.push(Op::Jump(0));
                match test {
                    ParameterTest::Default | ParameterTest::Alternative => {
                        self.emit_pieces(word, !piece.quoted)
                    }
                    ParameterTest::Assign | ParameterTest::Error => {
                        if piece.index == Index::Key {
                            self.emit_text(&piece.subscript, Mode::Text);
                        }
                        self.emit_text(word, Mode::Text);
                        self.ops.push(match test {
                            ParameterTest::Assign => Op::AssignDefault(param.clone()),
                            ParameterTest::Error | ParameterTest::Default | ParameterTest::Alternative => {
                                Op::Unset(param.clone(), *colon)
                            }
                        });
                    }
                }
                let skip = offset(at, self.ops.len());
                self.ops[at] = Op::Test { param, colon: *colon, test: *test, skip };
            }
        }
    }
}

fn plain_param(piece: &ParamPiece) -> Param {
    Param { name: piece.name.clone(), index: piece.index, indirect: piece.indirect, quoted: piece.quoted }
}

/// The formula of an arithmetic expression that is plain text.
pub(super) fn formula(word: &Word) -> Option<Arc<Formula>> {
    match word.as_slice() {
        [WordPiece::Lit(text, _)] => Formula::read(text).map(Arc::new),
        _ => None,
    }
}
