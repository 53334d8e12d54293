//! The header fields of a request, whichever transport parsed them: hyper or a lane.

use http::{HeaderMap, HeaderName, HeaderValue};
use lane::Repeated;

pub trait Fields {
    /// The value of a field that may occur once.
    fn find_single(&self, name: &HeaderName) -> Result<Option<&[u8]>, Repeated>;

    fn has_field(&self, name: &HeaderName) -> bool {
        self.find_single(name) != Ok(None)
    }
}

impl Fields for HeaderMap {
    fn find_single(&self, name: &HeaderName) -> Result<Option<&[u8]>, Repeated> {
        let mut values = self.get_all(name).iter().map(HeaderValue::as_bytes);
        let value = values.next();
        if values.next().is_some() { Err(Repeated) } else { Ok(value) }
    }
}

impl Fields for lane::Headers<'_> {
    fn find_single(&self, name: &HeaderName) -> Result<Option<&[u8]>, Repeated> {
        self.single(name.as_str())
    }
}
