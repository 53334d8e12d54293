//! JSON for people: a line for each value, indented by two spaces.

/// Formats JSON without spaces as `serde_json::to_string_pretty` would, every number digit by digit.
pub fn pretty(json: &[u8]) -> String {
    let text = String::from_utf8_lossy(json);
    let (mut out, mut depth, mut in_text, mut is_escaped) = (String::new(), 0, false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let line = |out: &mut String, depth: usize| {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        };
        let closes = matches!(letters.peek(), Some(']' | '}'));
        match letter {
            _ if in_text => {
                in_text = letter != '"' || is_escaped;
                is_escaped = letter == '\\' && !is_escaped;
                out.push(letter);
            }
            '[' | '{' => {
                out.push(letter);
                depth += 1;
                if !closes {
                    line(&mut out, depth);
                }
            }
            ']' | '}' => {
                depth = depth.saturating_sub(1);
                if !out.ends_with(['[', '{']) {
                    line(&mut out, depth);
                }
                out.push(letter);
            }
            ',' => {
                out.push(letter);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                in_text = letter == '"';
                out.push(letter);
            }
        }
    }
    out
}
