//! Pieces of words to ops.

use super::brace::long_sequence;
use super::word::{Action, ParamPiece, Piece, Word};
use super::{Reader, Result, offset};
use crate::shell::formula::Formula;
use crate::shell::op::{Index, Mode, Op, Param, Test};
use crate::shell::pattern::MARK;
use std::sync::Arc;

impl Reader<'_> {
    /// Emits a word that gives arguments, braces expanded.
    pub(super) fn emit_args(&mut self, word: Word) -> Result<()> {
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

    /// The one op of a word that is only text without wildcards, or only a parameter.
    fn simple_argument(&self, word: &Word) -> Option<Op> {
        match word.as_slice() {
            [Piece::Param(param)] if matches!((&param.action, param.index), (Action::None, Index::None)) => {
                Some(Op::ArgParam(plain_param(param)))
            }
            [Piece::Lit(text, quoted)] if *quoted || !text.contains(['*', '?', '[', '\\', '(', MARK]) => {
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
                Piece::Lit(text, quoted) => {
                    self.ops.push(Op::Lit { text: text.clone(), quoted: *quoted, split: split && !quoted })
                }
                Piece::Tilde(user) => self.ops.push(Op::Tilde(user.clone())),
                Piece::Substitute(code, quoted) => self.ops.push(Op::Substitute(code.clone(), *quoted)),
                Piece::ProcessSub(code, read) => self.ops.push(Op::ProcessSub(code.clone(), *read)),
                Piece::Bad(text) => self.ops.push(Op::BadSubstitution(text.clone())),
                Piece::Arith(inner, quoted) => match formula(inner) {
                    Some(formula) => self.ops.push(Op::Formula(formula, *quoted)),
                    None => {
                        self.emit_text(inner, Mode::Text);
                        self.ops.push(Op::Arith(*quoted));
                    }
                },
                Piece::Param(param) => self.emit_param(param),
            }
        }
    }

    /// A word of its own, onto the stack of texts.
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
            Action::None => self.ops.push(Op::Param(param)),
            Action::Modify { modify, words } => {
                for (word, pattern) in words {
                    self.emit_text(word, if *pattern { Mode::Pattern } else { Mode::Text });
                }
                self.ops.push(Op::Modify(param, *modify));
            }
            Action::Test { test, colon, word } => {
                let at = self.ops.len();
                self.ops.push(Op::Jump(0));
                match test {
                    Test::Default | Test::Alternative => self.emit_pieces(word, !piece.quoted),
                    Test::Assign | Test::Error => {
                        if piece.index == Index::Key {
                            self.emit_text(&piece.subscript, Mode::Text);
                        }
                        self.emit_text(word, Mode::Text);
                        self.ops.push(match test {
                            Test::Assign => Op::AssignDefault(param.clone()),
                            Test::Error | Test::Default | Test::Alternative => {
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

/// The formula of an arithmetic expression that is only text.
pub(super) fn formula(word: &Word) -> Option<Arc<Formula>> {
    match word.as_slice() {
        [Piece::Lit(text, _)] => Formula::read(text).map(Arc::new),
        _ => None,
    }
}
