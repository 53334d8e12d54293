//! Texts of people inside HTML and XML.

use std::fmt::{self, Write};

/// Escapes a text for element content and quoted attributes of HTML and XML. Characters that XML cannot contain, even as
/// references, are left out.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => formatter.write_str("&amp;")?,
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                '"' => formatter.write_str("&quot;")?,
                '\'' => formatter.write_str("&#39;")?,
                '\t' | '\n' | '\r' => formatter.write_char(' ')?,
                // XML 1.0, Char.
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                other => formatter.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// The beginning of a text, with an ellipsis where it was cut.
pub(super) fn shortened(text: &str, characters_max: usize) -> String {
    match text.char_indices().nth(characters_max) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(characters_max - 1).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Escaped, shortened};

    #[test]
    fn markup_becomes_text_and_control_characters_go() {
        let text = "</script><a href=\"x\">'&'\u{0}\u{8}\u{ffff}\nend";
        let expected = "&lt;/script&gt;&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39; end";
        assert_eq!(Escaped(text).to_string(), expected);
        assert_eq!(Escaped("₦ é").to_string(), "₦ é");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened("₦₦₦", 3), "₦₦₦");
        assert_eq!(shortened("₦₦₦₦", 3), "₦₦…");
        assert_eq!(shortened("one two", 5), "one…");
        assert_eq!(shortened("", 5), "");
    }
}
