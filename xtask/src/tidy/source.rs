//! A minimal lexer of one Rust file: which bytes are code, and the text of its comments.
//!
//! Strings, characters and comments become blanks of the same length, so offsets and line numbers in `code` are those
//! of the file. It does not parse, so macros and incomplete code are no problem.

use std::collections::BTreeMap;

pub(super) struct Source {
    text: String,
    code: String,
    line_starts: Vec<usize>,
    comments: BTreeMap<usize, String>,
}

impl Source {
    pub(super) fn new(text: String) -> Self {
        let mut lexer =
            Lexer { bytes: text.as_bytes(), code: Vec::with_capacity(text.len()), comments: Vec::new() };
        lexer.run();
        let code = String::from_utf8(lexer.code).expect("whole characters are kept or blanked");
        let comments = lexer.comments;
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        let mut source = Self { text, code, line_starts, comments: BTreeMap::new() };
        for (start, end) in comments {
            source.comments.insert(source.line_of(start), source.text[start..end].to_owned());
        }
        source
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The file with everything but code blanked out.
    pub(super) fn code(&self) -> &str {
        &self.code
    }

    /// The line, from 1, of a byte offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset)
    }

    /// The code of a line, from 1.
    pub(super) fn code_line(&self, line: usize) -> &str {
        let Some(start) = self.line_starts.get(line - 1) else { return "" };
        self.code[*start..].lines().next().unwrap_or("")
    }

    /// The `//` comment that ends this line, slashes included.
    pub(super) fn comment(&self, line: usize) -> Option<&str> {
        self.comments.get(&line).map(String::as_str)
    }

    /// Where `word` occurs as a whole word, not as a part of a longer name.
    pub(super) fn find(&self, word: &str) -> Vec<usize> {
        let found = self.code.match_indices(word).map(|(at, _)| at);
        found.filter(|at| stands_alone(&self.code, *at, word)).collect()
    }

    /// The offset of the bracket that closes the one at `open`.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, byte) in self.code.bytes().enumerate().skip(open) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// The first of `wanted` at or after `from` that is not inside round or square brackets opened after `from`.
    pub(super) fn find_outside_brackets(&self, from: usize, wanted: &[u8]) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, byte) in self.code.bytes().enumerate().skip(from) {
            match byte {
                _ if depth == 0 && wanted.contains(&byte) => return Some(at),
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }
}

/// Letters, digits and underscores; every non-ASCII byte counts as a letter.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// The name that `code` begins with, which may be empty.
pub(super) fn leading_name(code: &str) -> &str {
    let end = code.bytes().position(|byte| !is_name_byte(byte)).unwrap_or(code.len());
    &code[..end]
}

/// The name that `code` ends with, which may be empty.
pub(super) fn trailing_name(code: &str) -> &str {
    let start = code.bytes().rposition(|byte| !is_name_byte(byte)).map_or(0, |at| at + 1);
    &code[start..]
}

fn stands_alone(code: &str, at: usize, word: &str) -> bool {
    let bytes = code.as_bytes();
    let joined = |inner: Option<&u8>, outer: Option<&u8>| {
        inner.is_some_and(|byte| is_name_byte(*byte)) && outer.is_some_and(|byte| is_name_byte(*byte))
    };
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let after = bytes.get(at + word.len());
    !joined(word.as_bytes().first(), before) && !joined(word.as_bytes().last(), after)
}

struct Lexer<'a> {
    bytes: &'a [u8],
    /// The output. It is as long as the input read so far, so its length is the input position.
    code: Vec<u8>,
    comments: Vec<(usize, usize)>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.rest().first() {
            match byte {
                b'/' if self.rest().starts_with(b"//") => self.line_comment(),
                b'/' if self.rest().starts_with(b"/*") => self.block_comment(),
                b'"' => self.string(),
                b'\'' => self.quote(),
                _ if is_name_byte(byte) => self.word(),
                _ => self.keep(1),
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.code.len()..]
    }

    fn keep(&mut self, count: usize) {
        let at = self.code.len();
        self.code.extend_from_slice(&self.bytes[at..at + count]);
    }

    fn blank(&mut self, count: usize) {
        let at = self.code.len();
        let end = (at + count).min(self.bytes.len());
        let blanks = self.bytes[at..end].iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' });
        self.code.extend(blanks);
    }

    fn line_comment(&mut self) {
        let start = self.code.len();
        let length = self.rest().iter().position(|byte| *byte == b'\n').unwrap_or(self.rest().len());
        self.comments.push((start, start + length));
        self.blank(length);
    }

    /// Block comments nest.
    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with(b"/*") {
                depth += 1;
                self.blank(2);
            } else if rest.starts_with(b"*/") {
                depth -= 1;
                self.blank(2);
            } else {
                self.blank(1);
            }
            if depth == 0 || self.rest().is_empty() {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.blank(1);
        self.escaped_until(b'"');
    }

    /// Blanks up to and including the first unescaped `end`.
    fn escaped_until(&mut self, end: u8) {
        while let Some(&byte) = self.rest().first() {
            self.blank(if byte == b'\\' { 2 } else { 1 });
            if byte == end {
                return;
            }
        }
    }

    /// A character literal, or the quote of a lifetime or label.
    fn quote(&mut self) {
        let rest = self.rest();
        if rest.get(1) == Some(&b'\\') {
            self.blank(1);
            return self.escaped_until(b'\'');
        }
        let character = std::str::from_utf8(&rest[1..]).ok().and_then(|text| text.chars().next());
        let length = character.map_or(0, char::len_utf8);
        let is_literal = character != Some('\'') && rest.get(1 + length) == Some(&b'\'');
        if is_literal { self.blank(length + 2) } else { self.keep(1) }
    }

    /// A name, a number, or a raw string with its prefix.
    fn word(&mut self) {
        let rest = self.rest();
        let length = rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
        let hashes = rest[length..].iter().take_while(|byte| **byte == b'#').count();
        let is_raw =
            [&b"r"[..], b"br", b"cr"].contains(&&rest[..length]) && rest.get(length + hashes) == Some(&b'"');
        self.keep(length);
        if is_raw {
            self.raw_string(hashes);
        }
    }

    fn raw_string(&mut self, hashes: usize) {
        self.blank(hashes + 1);
        let mut end = vec![b'#'; hashes + 1];
        end[0] = b'"';
        let found = self.rest().windows(end.len()).position(|window| window == end);
        let length = found.map_or(self.rest().len(), |at| at + end.len());
        self.blank(length);
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, leading_name, trailing_name};

    fn code(text: &str) -> String {
        let source = Source::new(text.to_owned());
        assert_eq!(source.code().len(), text.len());
        source.code().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_are_not_code() {
        assert_eq!(code("a // b\nc"), "a c");
        assert_eq!(code("a /* b /* c */ d */ e"), "a e");
        assert_eq!(code("a /* b"), "a");
        assert_eq!(code("//! a"), "");
    }

    #[test]
    fn strings_are_not_code() {
        assert_eq!(code(r#"f("{ \" }") + 1"#), "f( ) + 1");
        assert_eq!(code(r#"b"{" c"{" x"#), "b c x");
        assert_eq!(code("\"a\nb // c\" d"), "d");
        assert_eq!(code(r#"f("\\") }"#), "f( ) }");
    }

    #[test]
    fn raw_strings_end_at_their_hashes() {
        assert_eq!(code(r####"r"\" a"####), "r a");
        assert_eq!(code(r####"r##"{ "# } "## a"####), "r a");
        assert_eq!(code(r####"br#"{"# a"####), "br a");
        assert_eq!(code("r#type { }"), "r#type { }");
    }

    #[test]
    fn characters_are_not_code_but_lifetimes_are() {
        assert_eq!(code("'{' a"), "a");
        assert_eq!(code(r"'\'' '\u{7b}' '\\' b'{' a"), "b a");
        assert_eq!(code("'…' a"), "a");
        assert_eq!(code("fn f<'a, 'b>(x: &'a str) {}"), "fn f<'a, 'b>(x: &'a str) {}");
        assert_eq!(code("'outer: loop { break 'outer }"), "'outer: loop { break 'outer }");
    }

    #[test]
    fn a_word_inside_a_longer_name_is_not_found() {
        let source = Source::new("rand operand rand_core rand::x".to_owned());
        assert_eq!(source.find("rand"), [0, 23]);
        let source = Source::new("a.expect(b).expect_err(c)".to_owned());
        assert_eq!(source.find(".expect("), [1]);
    }

    #[test]
    fn lines_count_from_one() {
        let source = Source::new("a\n\"x\ny\" b // c\nd".to_owned());
        assert_eq!(source.line_of(source.find("a")[0]), 1);
        assert_eq!(source.line_of(source.find("b")[0]), 3);
        assert_eq!(source.comment(3), Some("// c"));
        assert_eq!(source.code_line(3).trim(), "b");
        assert_eq!(source.code_line(9), "");
    }

    #[test]
    fn brackets_find_their_partners() {
        let source = Source::new("f([a; 2]) { (b) { '{' } } c".to_owned());
        let open = source.find_outside_brackets(0, b"{;").unwrap();
        assert_eq!(open, 10);
        assert_eq!(source.closing(open), Some(24));
        assert_eq!(Source::new("{ (".to_owned()).closing(0), None);
    }

    #[test]
    fn names_are_cut_at_what_cannot_be_in_them() {
        assert_eq!(leading_name("orders_max: u32"), "orders_max");
        assert_eq!(trailing_name("self.orders"), "orders");
        assert_eq!(trailing_name("orders()"), "");
    }
}
