//! The header fields of a request, found by name without regard to case.
//!
//! A request has about ten fields, so a list is quicker than a map. A bit per length of a name, set in the one pass that
//! checks the head, answers most look-ups of absent fields at once.

use httparse::Header;

/// Header fields in the order of the request.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'a> {
    fields: &'a [Header<'a>],
    /// Bit n: a name has n bytes. The last bit stands for all longer names.
    lengths: u64,
}

/// A field that may occur once occurs more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated;

impl<'a> Headers<'a> {
    pub(crate) fn new(fields: &'a [Header<'a>], lengths: u64) -> Headers<'a> {
        Headers { fields, lengths }
    }

    /// All values of a name, in the order of the request.
    pub fn all(&self, name: &str) -> impl DoubleEndedIterator<Item = &'a [u8]> {
        let fields = if self.lengths & length_bit(name) == 0 { &[] } else { self.fields };
        fields.iter().filter(move |field| field.name.eq_ignore_ascii_case(name)).map(|field| field.value)
    }

    /// The value of a field that may occur once.
    pub fn single(&self, name: &str) -> Result<Option<&'a [u8]>, Repeated> {
        let mut values = self.all(name);
        let value = values.next();
        if values.next().is_some() { Err(Repeated) } else { Ok(value) }
    }

    pub fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Names and values in the order of the request.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&'a str, &'a [u8])> {
        self.fields.iter().map(|field| (field.name, field.value))
    }
}

pub(crate) fn length_bit(name: &str) -> u64 {
    1 << name.len().min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fields: &[(&str, &str)], test: impl FnOnce(Headers<'_>)) {
        let fields: Vec<_> =
            fields.iter().map(|(name, value)| Header { name, value: value.as_bytes() }).collect();
        let lengths = fields.iter().fold(0, |bits, field| bits | length_bit(field.name));
        test(Headers::new(&fields, lengths));
    }

    #[test]
    fn a_field_is_found_by_name_in_any_case() {
        check(&[("X-Public-Key", "a"), ("x-timestamp", "1"), ("X-PUBLIC-KEY", "b")], |headers| {
            assert_eq!(headers.single("x-timestamp"), Ok(Some(&b"1"[..])));
            assert_eq!(headers.single("x-public-key"), Err(Repeated));
            assert_eq!(headers.all("x-public-key").collect::<Vec<_>>(), [b"a", b"b"]);
            assert_eq!(headers.single("x-signature"), Ok(None), "as long as x-timestamp");
            assert_eq!(headers.single("x-trace"), Ok(None));
            assert!(headers.has("X-Timestamp") && !headers.has("x-timestamps"));
        });
    }

    #[test]
    fn a_name_longer_than_the_bits_is_found() {
        let (long, longer) = ("x".repeat(63), "x".repeat(200));
        check(&[(&longer, "v")], |headers| {
            assert_eq!(headers.single(&longer), Ok(Some(&b"v"[..])));
            assert_eq!(headers.single(&long), Ok(None));
        });
    }
}
