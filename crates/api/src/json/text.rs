//! Texts with the escapes of `serde_json`: short forms where JSON has them, `\u00xx` for other control characters.

use super::{WriteJson, Writer};

/// For each byte: 0 if it stands for itself, `u` for a hexadecimal escape, otherwise the letter after the backslash.
const ESCAPES: [u8; 256] = {
    let mut escapes = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        escapes[control] = b'u';
        control += 1;
    }
    escapes[0x08] = b'b';
    escapes[b'\t' as usize] = b't';
    escapes[b'\n' as usize] = b'n';
    escapes[0x0c] = b'f';
    escapes[b'\r' as usize] = b'r';
    escapes[b'"' as usize] = b'"';
    escapes[b'\\' as usize] = b'\\';
    escapes
};

const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

impl WriteJson for str {
    fn write_json(&self, out: &mut Writer) {
        out.raw(b"\"");
        let mut rest = self.as_bytes();
        while let Some(at) = rest.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0) {
            let byte = rest[at];
            out.raw(&rest[..at]);
            match ESCAPES[usize::from(byte)] {
                b'u' => {
                    let digit = |value: u8| HEX_DIGITS[usize::from(value)];
                    out.raw(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
                }
                letter => out.raw(&[b'\\', letter]),
            }
            rest = &rest[at + 1..];
        }
        out.raw(rest);
        out.raw(b"\"");
    }
}
