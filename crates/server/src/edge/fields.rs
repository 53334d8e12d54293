//! The header fields of a request, whichever transport parsed them: hyper or a lane.

use http::{HeaderMap, HeaderName, HeaderValue};
use lane::Repeated;

pub trait Fields: Sync {
    /// The value of a field that may occur once.
    fn find_single(&self, name: &HeaderName) -> Result<Option<&[u8]>, Repeated>;

    /// The first value of a field.
    fn find_first(&self, name: &HeaderName) -> Option<&[u8]>;

    /// Whether a value of a field fulfils a condition.
    fn any(&self, name: &HeaderName, is_it: &mut dyn FnMut(&[u8]) -> bool) -> bool;

    fn has_field(&self, name: &HeaderName) -> bool {
        self.find_first(name).is_some()
    }
}

impl Fields for HeaderMap {
    fn find_single(&self, name: &HeaderName) -> Result<Option<&[u8]>, Repeated> {
        let mut values = self.get_all(name).iter().map(HeaderValue::as_bytes);
        let value = values.next();
        if values.next().is_some() { Err(Repeated) } else { Ok(value) }
    }

    fn find_first(&self, name: &HeaderName) -> Option<&[u8]> {
        self.get(name).map(HeaderValue::as_bytes)
    }

    fn any(&self, name: &HeaderName, is_it: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        self.get_all(name).iter().map(HeaderValue::as_bytes).any(is_it)
    }
}

impl Fields for lane::Headers<'_> {
    fn find_single(&self, name: &HeaderName) -> Result<Option<&[u8]>, Repeated> {
        self.single(name.as_str())
    }

    fn find_first(&self, name: &HeaderName) -> Option<&[u8]> {
        self.all(name.as_str()).next()
    }

    fn any(&self, name: &HeaderName, is_it: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        self.all(name.as_str()).any(is_it)
    }
}
