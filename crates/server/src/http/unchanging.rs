//! Bytes that never change while the process runs: the pages and their files, the documents. Each is packed or unpacked at
//! most once, and all answers share the bytes.

use std::io::{Read, Write};
use std::sync::OnceLock;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, header};

use super::caching::{tag_of, unless_known};

/// Smaller bodies are not worth compressing.
const PACKED_FROM_BYTES: usize = 1_024;

#[derive(Debug)]
pub(crate) struct Unchanging {
    content_type: &'static str,
    /// Weak, because the same content is sent compressed or not.
    tag: String,
    given: Form,
    /// The other form, made for the first client that wants it; none if it is not worth it.
    made: OnceLock<Option<Bytes>>,
}

#[derive(Debug)]
enum Form {
    Whole(Bytes),
    Packed(Bytes),
}

impl Unchanging {
    pub(crate) fn new(content_type: &'static str, whole: impl Into<Bytes>) -> Unchanging {
        let whole = whole.into();
        let tag = tag_of(&whole);
        Unchanging { content_type, tag, given: Form::Whole(whole), made: OnceLock::new() }
    }

    /// A text that is kept packed, since few clients want the whole.
    pub(crate) fn of_packed(content_type: &'static str, packed: &'static [u8]) -> Unchanging {
        let given = Form::Packed(Bytes::from_static(packed));
        Unchanging { content_type, tag: tag_of(packed), given, made: OnceLock::new() }
    }

    /// 200 with the bytes, or 304 if the client has them.
    pub(crate) fn respond(&self, headers: &HeaderMap, cache_control: &'static str) -> Response {
        let mut response = unless_known(headers, &self.tag, cache_control, || {
            let packed = if takes_gzip(headers) { self.packed() } else { None };
            let is_packed = packed.is_some();
            let mut response = Response::new(Body::from(packed.unwrap_or_else(|| self.whole())));
            if is_packed {
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
            response
        });
        let fields = response.headers_mut();
        fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if is_text(self.content_type) {
            fields.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        response
    }

    fn packed(&self) -> Option<Bytes> {
        match &self.given {
            Form::Packed(packed) => Some(packed.clone()),
            Form::Whole(whole) => self.made.get_or_init(|| self.pack(whole)).clone(),
        }
    }

    fn whole(&self) -> Bytes {
        match &self.given {
            Form::Whole(whole) => whole.clone(),
            Form::Packed(packed) => {
                self.made.get_or_init(|| Some(unpack(packed))).clone().unwrap_or_default()
            }
        }
    }

    fn pack(&self, whole: &Bytes) -> Option<Bytes> {
        let is_worth_it = is_text(self.content_type) && whole.len() >= PACKED_FROM_BYTES;
        if is_worth_it { pack(whole) } else { None }
    }
}

/// The compressed bytes, if they are fewer.
fn pack(whole: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(whole).and_then(|()| encoder.finish());
    packed.ok().filter(|packed| packed.len() < whole.len()).map(Bytes::from)
}

fn unpack(packed: &[u8]) -> Bytes {
    let mut whole = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut whole).expect("an embedded file is whole");
    whole.into()
}

/// RFC 9110, Accept-Encoding: gzip or `*`, with a weight other than 0.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let fields = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|field| field.to_str().ok());
    let weight = |parameters: &str| {
        let weight = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("q="));
        weight.is_none_or(|weight| weight.bytes().any(|digit| matches!(digit, b'1'..=b'9')))
    };
    let mut takes_all = false;
    for coding in fields.flat_map(|field| field.split(',')) {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") => return weight(parameters),
            "*" => takes_all = weight(parameters),
            _ => {}
        }
    }
    takes_all
}

fn is_text(content_type: &str) -> bool {
    ["text/", "application/json", "application/yaml", "application/manifest+json", "image/svg+xml"]
        .iter()
        .any(|text| content_type.starts_with(text))
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    const JSON: &str = "application/json";

    fn asking(encoding: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(encoding));
        headers
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (field, expected) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000, *", false),
            ("*;q=0", false),
            ("br", false),
            ("", false),
        ] {
            assert_eq!(takes_gzip(&asking(field)), expected, "{field}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_long_text_is_packed_once_and_a_short_one_or_a_picture_never() {
        let long = Unchanging::new(JSON, "word ".repeat(1_000));
        let packed = long.packed().expect("a shorter one");
        assert!(packed.len() < 500);
        assert_eq!(long.packed().map(|again| again.as_ptr()), Some(packed.as_ptr()));
        assert_eq!(Unchanging::new(JSON, "word").packed(), None);
        assert_eq!(Unchanging::new("image/png", "word ".repeat(1_000)).packed(), None);
    }

    #[test]
    fn a_packed_text_is_unpacked_once_and_only_for_a_body() {
        let whole = "word ".repeat(1_000);
        let packed: &'static [u8] = Vec::leak(pack(whole.as_bytes()).expect("a shorter one").to_vec());
        let text = Unchanging::of_packed(JSON, packed);
        let mut known = HeaderMap::new();
        known.insert(header::IF_NONE_MATCH, HeaderValue::try_from(&text.tag).expect("a tag"));
        for headers in [known, asking("gzip")] {
            text.respond(&headers, "no-cache");
        }
        assert!(text.made.get().is_none(), "no client asked for the whole");
        assert_eq!(text.whole(), whole);
        assert_eq!(text.whole().as_ptr(), text.whole().as_ptr());
    }

    #[test]
    fn a_known_tag_is_answered_without_a_body_and_both_forms_have_one_tag() {
        let text = Unchanging::new(JSON, "word ".repeat(1_000));
        let (whole, packed) =
            (text.respond(&HeaderMap::new(), "no-cache"), text.respond(&asking("gzip"), "no-cache"));
        assert_eq!(whole.headers()[header::ETAG], packed.headers()[header::ETAG]);
        assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
        assert!(!whole.headers().contains_key(header::CONTENT_ENCODING));
        let mut known = asking("gzip");
        known.insert(header::IF_NONE_MATCH, whole.headers()[header::ETAG].clone());
        let known = text.respond(&known, "no-cache");
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        assert!(!known.headers().contains_key(header::CONTENT_ENCODING));
    }
}
