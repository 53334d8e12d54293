//! The address of a picture: `/pictures/`, the SHA-256 of its stored bytes, and the size.

use std::fmt;

use data_encoding::HEXLOWER;
use exchange::id::Hash32;
use sha2::{Digest, Sha256};

/// The beginning of every address of a picture of this venue.
pub const PREFIX: &str = "/pictures/";

const LARGE: &str = ".jpg";
const SMALL: &str = "-128.jpg";

/// The SHA-256 of a stored picture, which has both sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PictureHash(pub [u8; 32]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureSize {
    Large,
    Small,
}

impl PictureHash {
    pub fn of(content: &[u8]) -> PictureHash {
        PictureHash(Sha256::digest(content).into())
    }

    /// Reads 64 lowercase hexadecimal digits: one spelling per picture, so that a cache has it once.
    pub fn parse(text: &str) -> Option<PictureHash> {
        HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok().map(PictureHash)
    }

    pub fn address(&self, size: PictureSize) -> String {
        let ending = match size {
            PictureSize::Large => LARGE,
            PictureSize::Small => SMALL,
        };
        format!("{PREFIX}{self}{ending}")
    }

    pub fn to_exchange(self) -> Hash32 {
        Hash32::new(self.0)
    }
}

impl fmt::Display for PictureHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// The picture and size that the last part of an address names.
pub fn parse_name(name: &str) -> Option<(PictureHash, PictureSize)> {
    match name.strip_suffix(SMALL) {
        Some(hash) => Some((PictureHash::parse(hash)?, PictureSize::Small)),
        None => Some((PictureHash::parse(name.strip_suffix(LARGE)?)?, PictureSize::Large)),
    }
}

/// The picture that an address names; `None` for every other text, such as an address of another site.
pub fn parse_address(address: &str) -> Option<PictureHash> {
    parse_name(address.strip_prefix(PREFIX)?).map(|(hash, _)| hash)
}

/// The address of the small size, for an address of a picture of this venue.
pub fn small_of(address: &str) -> Option<String> {
    parse_address(address).map(|hash| hash.address(PictureSize::Small))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_spelling_for_each_size() {
        let hash = PictureHash::of(b"a picture");
        for size in [PictureSize::Large, PictureSize::Small] {
            let address = hash.address(size);
            assert_eq!(parse_name(address.strip_prefix(PREFIX).expect("a prefix")), Some((hash, size)));
            assert_eq!(parse_address(&address), Some(hash));
            assert_eq!(small_of(&address), Some(hash.address(PictureSize::Small)));
        }
        let address = hash.address(PictureSize::Large);
        let odd = [
            address.to_uppercase(),
            address.replace(".jpg", ".png"),
            address.replace(".jpg", ""),
            format!("{address}?"),
            format!("https://example.org{address}"),
            address.replace("/pictures/", "/pictures//"),
            address.replacen('a', "g", 1),
            "/pictures/.jpg".to_owned(),
            String::new(),
        ];
        for odd in odd {
            assert_eq!(parse_address(&odd), None, "{odd}");
        }
    }
}
