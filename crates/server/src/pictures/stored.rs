//! A picture as it is stored: both sizes in one value, named by its hash.
//!
//! The value is the length of the large size (four bytes, big-endian), the large size and the small size.

use bytes::Bytes;

use super::address::{PictureHash, PictureSize};
use super::making::MadePicture;

const LENGTH_BYTES: usize = 4;

/// A picture whose bytes have their hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPicture {
    large: Bytes,
    small: Bytes,
}

impl StoredPicture {
    /// Reads a stored value. `None` if it is damaged.
    pub fn read(hash: PictureHash, content: Vec<u8>) -> Option<StoredPicture> {
        if PictureHash::of(&content) != hash {
            return None;
        }
        let content = Bytes::from(content);
        let length = u32::from_be_bytes(content.get(..LENGTH_BYTES)?.try_into().ok()?) as usize;
        let end = LENGTH_BYTES.checked_add(length).filter(|end| *end <= content.len())?;
        Some(StoredPicture { large: content.slice(LENGTH_BYTES..end), small: content.slice(end..) })
    }

    pub fn of_size(&self, size: PictureSize) -> Bytes {
        match size {
            PictureSize::Large => self.large.clone(),
            PictureSize::Small => self.small.clone(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.large.len() + self.small.len()
    }
}

/// The stored value of a new picture.
pub fn write(made: &MadePicture) -> Vec<u8> {
    // Invariant: `making` scales every picture, so its JPEG is far below 4 GiB.
    let length = u32::try_from(made.large.len()).expect("a picture's length fits in four bytes");
    [&length.to_be_bytes()[..], &made.large, &made.small].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_picture_is_read_back_and_any_changed_byte_is_found() {
        let made = MadePicture { large: vec![1; 300], small: vec![2; 40], width: 3, height: 2 };
        let content = write(&made);
        let hash = PictureHash::of(&content);
        let read = StoredPicture::read(hash, content.clone()).expect("a sound picture");
        assert_eq!(&*read.of_size(PictureSize::Large), &made.large[..]);
        assert_eq!(&*read.of_size(PictureSize::Small), &made.small[..]);
        for place in 0..content.len() {
            let mut damaged = content.clone();
            damaged[place] ^= 1;
            assert_eq!(StoredPicture::read(hash, damaged), None, "byte {place}");
        }
        for malformed in [vec![], vec![0, 0, 0], vec![0, 0, 0, 9, 1], vec![255; 40]] {
            assert_eq!(StoredPicture::read(PictureHash::of(&malformed), malformed), None);
        }
    }
}
