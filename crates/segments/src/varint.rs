//! Variable-length integers: seven bits per byte, the lowest first.

/// Appends a number.
pub(crate) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a signed number; small magnitudes take few bytes.
pub(crate) fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put(bytes, zigzag(number));
}

const fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

const fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

/// Reads from the front of a slice. `None` at its end, or if a number is too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    #[inline]
    pub(crate) fn number(&mut self) -> Option<u64> {
        let (&first, rest) = self.0.split_first()?;
        if first < 0x80 {
            self.0 = rest;
            return Some(u64::from(first));
        }
        let mut number = u64::from(first & 0x7f);
        for (place, byte) in rest.iter().enumerate().take(9) {
            number |= u64::from(byte & 0x7f) << (7 * (place + 1));
            if *byte < 0x80 {
                self.0 = &rest[place + 1..];
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn signed(&mut self) -> Option<i64> {
        self.number().map(unzigzag)
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn fixed<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    pub(crate) fn word(&mut self) -> Option<u64> {
        self.fixed().map(u64::from_be_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_read_as_written() {
        let powers = (0..64).map(|bit| 1_u64 << bit);
        for number in powers.flat_map(|power| [power - 1, power, power + 1]).chain([0, u64::MAX]) {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            put_signed(&mut bytes, number.cast_signed());
            let mut input = Input(&bytes);
            assert_eq!(input.number(), Some(number));
            assert_eq!(input.signed(), Some(number.cast_signed()));
            assert!(input.0.is_empty());
            assert_eq!(Input(&bytes[..bytes.len() - 1]).0.len(), bytes.len() - 1);
        }
    }

    #[test]
    fn a_number_that_is_cut_or_too_long_is_refused() {
        assert_eq!(Input(&[0x80, 0x80]).number(), None);
        assert_eq!(Input(&[0xff; 12]).number(), None);
        assert_eq!(Input(&[]).number(), None);
    }
}
