//! A normalised email address, by which persons are found. Validated where the plain text arrives.

use std::fmt;

use api::error::BadRequest;
use zeroize::Zeroizing;

/// The maximum length of an email address, in bytes.
const BYTES_MAX: usize = 254;

/// A normalised address. `Debug` hides it.
#[derive(Clone)]
pub struct Address(Zeroizing<String>);

impl Address {
    /// Validates an address and converts it to lower case.
    pub fn parse(text: &str) -> Result<Address, BadRequest> {
        let address = Address::normalised(text);
        let invalid = |rule| Err(BadRequest::at("email", rule));
        if address.0.len() > BYTES_MAX {
            return invalid("at most 254 bytes");
        }
        if address.0.chars().any(|c| c == ' ' || c.is_control()) {
            return invalid("without spaces or control characters");
        }
        match address.0.split_once('@') {
            Some((name, host)) if !name.is_empty() && !host.is_empty() && !host.contains('@') => Ok(address),
            _ => invalid("one @ with something on both sides"),
        }
    }

    /// An address to look up, in lower case. Not validated: a malformed address finds no account.
    pub fn normalised(text: &str) -> Address {
        Address(Zeroizing::new(text.to_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Address(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_spelling_and_two_sides() {
        for (text, normal) in [("Carol@Example.COM", "carol@example.com"), ("ÜTE@ü.example", "üte@ü.example")]
        {
            assert_eq!(Address::parse(text).expect("an address").as_str(), normal);
            assert_eq!(Address::normalised(text).as_str(), normal);
        }
        let long = format!("{}@example.com", "a".repeat(243));
        for wrong in ["", "carol", "@example.com", "carol@", "a@b@c", "a b@c", "a\n@c", "a@c\u{7f}", &long] {
            assert!(Address::parse(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(long[1..].len(), 254);
        assert!(Address::parse(&long[1..]).is_ok());
        assert_eq!(format!("{:?}", Address::normalised("a@b")), "Address(…)");
    }
}
