//! Requests of our web pages: a cookie replaces a key or a token, protected against cross-site request forgery.
//!
//! A browser attaches the cookie to requests of any site. So it counts only together with a header that pages of other
//! origins cannot send, and with the browser's own statement of the request's origin (docs/web.md). `web` issues the
//! cookies; `credentials` calls this module.

use api::error::{ErrorBody, ErrorCode, ErrorKind};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use uuid::Uuid;

use super::Failure;

/// Forms and links cannot send this header, and CORS forbids it to scripts of other origins.
pub const PAGE: HeaderName = HeaderName::from_static("x-bellwether-page");
/// The id of the user or operator that a page shows.
pub const SHOWN: HeaderName = HeaderName::from_static("x-bellwether-as");
/// The browser's statement of where a request originated.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Our cookies, by purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cookie {
    /// The token of a trader's session.
    Session,
    /// The token of an operator's session.
    Operator,
    /// A signed mark of a browser that has logged in before.
    Device,
}

impl Cookie {
    /// The `__Host-` prefix makes a browser accept the cookie only over TLS and only from this host.
    pub const fn name(self, is_secure: bool) -> &'static str {
        match (self, is_secure) {
            (Cookie::Session, false) => "bellwether_session",
            (Cookie::Session, true) => "__Host-bellwether_session",
            (Cookie::Operator, false) => "bellwether_operator",
            (Cookie::Operator, true) => "__Host-bellwether_operator",
            (Cookie::Device, false) => "bellwether_device",
            (Cookie::Device, true) => "__Host-bellwether_device",
        }
    }
}

/// The cookies of one name in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundCookie<'h> {
    Missing,
    One(&'h str),
    /// Another host of the domain may have set one of them; they cannot be told apart.
    Several,
}

/// Whether a request claims to come from one of our pages.
pub fn is_page(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(PAGE).iter();
    values.next().is_some_and(|value| value == "1") && values.next().is_none()
}

/// Whether the response may depend on a cookie.
pub fn may_have_cookie(headers: &HeaderMap) -> bool {
    headers.contains_key(header::COOKIE) && is_page(headers)
}

pub fn find_cookie<'h>(headers: &'h HeaderMap, name: &str) -> FoundCookie<'h> {
    let fields = headers.get_all(header::COOKIE).iter().filter_map(|field| field.to_str().ok());
    let pairs = fields.flat_map(|field| field.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (None, _) => FoundCookie::Missing,
        (Some(value), None) => FoundCookie::One(value),
        (Some(_), Some(_)) => FoundCookie::Several,
    }
}

/// Accepts only requests of our pages.
pub fn require_page(method: &Method, headers: &HeaderMap, is_secure: bool) -> Result<(), Failure> {
    if !is_page(headers) {
        let message = "Only this site's pages may call this: the header X-Bellwether-Page is missing";
        return Err(ErrorBody::new(ErrorKind::Forbidden, message).into());
    }
    refuse_cross_site(method, headers, is_secure)
}

/// Refuses a request of a page that shows someone else than the session's owner. After a login in another tab, the browser
/// sends the new cookie from every tab, so only the page can say for whom a request is meant. A read may leave it out:
/// pages send the first ones before they know who is logged in.
pub fn require_shown(method: &Method, headers: &HeaderMap, owner: Uuid) -> Result<(), Failure> {
    let mut shown = headers.get_all(SHOWN).iter();
    let is_owner = match (shown.next(), shown.next()) {
        (None, _) => method.is_safe(),
        (Some(id), None) => id.to_str().is_ok_and(|id| Uuid::parse_str(id) == Ok(owner)),
        (Some(_), Some(_)) => false,
    };
    if is_owner {
        return Ok(());
    }
    let message =
        "This browser is logged in as someone else than this page shows. Nothing was done; reload the page";
    Err(ErrorBody { code: Some(ErrorCode::SessionOfAnother), ..ErrorBody::conflict(message) }.into())
}

/// Refuses cross-site requests, and requests that a form could have sent.
pub fn refuse_cross_site(method: &Method, headers: &HeaderMap, is_secure: bool) -> Result<(), Failure> {
    if !is_from_own_page(method, headers, is_secure) {
        let message = "Only this site's own pages may use your session";
        return Err(ErrorBody::new(ErrorKind::Forbidden, message).into());
    }
    let kinds = headers.get_all(header::CONTENT_TYPE);
    if !method.is_safe() && !kinds.iter().all(is_unlike_a_form) {
        let message = "A page must send Content-Type application/json, or that of a picture";
        return Err(ErrorBody::new(ErrorKind::UnsupportedMediaType, message).into());
    }
    Ok(())
}

/// Whether a request originated from our own page: by `Sec-Fetch-Site` if present, else by `Origin`. An unsafe method
/// needs one of them.
pub fn is_from_own_page(method: &Method, headers: &HeaderMap, is_secure: bool) -> bool {
    let mut sites = headers.get_all(FETCH_SITE).iter();
    if let Some(site) = sites.next() {
        return site == "same-origin" && sites.next().is_none();
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => method.is_safe(),
        (Some(origin), None) => origin.to_str().is_ok_and(|origin| is_own_origin(origin, headers, is_secure)),
        (Some(_), Some(_)) => false,
    }
}

/// Whether an origin is the requested host. A proxy may terminate TLS and connect without it, so both schemes match
/// unless cookies are restricted to TLS.
pub fn is_own_origin(origin: &str, headers: &HeaderMap, is_secure: bool) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let plain = if is_secure { None } else { origin.strip_prefix("http://") };
    let authority = origin.strip_prefix("https://").or(plain);
    authority.zip(host.to_str().ok()).is_some_and(|(authority, host)| authority.eq_ignore_ascii_case(host))
}

/// Whether no form can send this type of content. A script of another origin may not send it either without being asked.
fn is_unlike_a_form(kind: &HeaderValue) -> bool {
    const KINDS: [&str; 4] = ["application/json", "image/jpeg", "image/png", "image/webp"];
    let kind = kind.to_str().unwrap_or_default();
    kind.split(';')
        .next()
        .is_some_and(|kind| KINDS.iter().any(|known| kind.trim().eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        let field = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let mut headers = HeaderMap::new();
        for (name, value) in fields.iter().map(field) {
            headers.append(name, value);
        }
        headers
    }

    #[test]
    fn a_request_is_same_origin_by_fetch_metadata_or_by_its_origin() {
        type Said<'a> = &'a [(&'static str, &'static str)];
        // The headers, and whether a read and a write pass.
        let rows: [(Said<'_>, bool, bool); 14] = [
            (&[], true, false),
            (&[("sec-fetch-site", "same-origin")], true, true),
            (&[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")], true, true),
            (&[("sec-fetch-site", "same-site")], false, false),
            (&[("sec-fetch-site", "cross-site")], false, false),
            (&[("sec-fetch-site", "none")], false, false),
            (&[("sec-fetch-site", "cross-site"), ("origin", "http://here:1")], false, false),
            (&[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")], false, false),
            (&[("origin", "http://here:1")], true, true),
            (&[("origin", "https://HERE:1")], true, true),
            (&[("origin", "http://here:2")], false, false),
            (&[("origin", "http://here:1.evil.example")], false, false),
            (&[("origin", "null")], false, false),
            (&[("origin", "http://here:1"), ("origin", "http://here:1")], false, false),
        ];
        for (said, read, write) in rows {
            let mut all = headers(said);
            all.insert(header::HOST, HeaderValue::from_static("here:1"));
            assert_eq!(is_from_own_page(&Method::GET, &all, false), read, "{said:?}");
            for method in [Method::POST, Method::PUT, Method::DELETE] {
                assert_eq!(is_from_own_page(&method, &all, false), write, "{said:?}");
            }
        }
    }

    #[test]
    fn a_write_has_a_type_that_no_form_can_send() {
        let is_taken = |kind| {
            let headers = headers(&[("sec-fetch-site", "same-origin"), ("content-type", kind)]);
            refuse_cross_site(&Method::POST, &headers, false).is_ok()
        };
        for kind in
            ["application/json", "Application/JSON; charset=utf-8", "image/png", "image/jpeg", "image/webp"]
        {
            assert!(is_taken(kind), "{kind}");
        }
        for kind in
            ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded", "image/svg+xml", ""]
        {
            assert!(!is_taken(kind), "{kind}");
        }
    }

    #[test]
    fn a_page_acts_only_for_the_owner_that_it_shows() {
        let (owner, other) = (Uuid::from_u128(0xAB), Uuid::from_u128(0xCD));
        let shown = |ids: &[&str]| {
            let mut headers = HeaderMap::new();
            for id in ids {
                headers.append(SHOWN, id.parse().expect("a header's value"));
            }
            headers
        };
        let (mine, others) = (owner.to_string(), other.to_string());
        let upper = mine.to_uppercase();
        // The ids that the page names, and whether a read and a write pass.
        let rows: [(&[&str], bool, bool); 8] = [
            (&[], true, false),
            (&[&mine], true, true),
            (&[&upper], true, true),
            (&[&others], false, false),
            (&[&mine, &others], false, false),
            (&[&mine, &mine], false, false),
            (&[""], false, false),
            (&["not-an-id"], false, false),
        ];
        for (ids, read, write) in rows {
            let headers = shown(ids);
            assert_eq!(require_shown(&Method::GET, &headers, owner).is_ok(), read, "{ids:?}");
            for method in [Method::POST, Method::PUT, Method::DELETE] {
                assert_eq!(require_shown(&method, &headers, owner).is_ok(), write, "{ids:?}");
            }
        }
        let refused = require_shown(&Method::POST, &shown(&[&others]), owner).expect_err("a refusal");
        assert_eq!((refused.body.status_code, refused.body.code), (409, Some(ErrorCode::SessionOfAnother)));
    }

    #[test]
    fn behind_tls_only_a_page_that_came_over_tls_is_ours() {
        let all = |origin| headers(&[("host", "here"), ("origin", origin)]);
        assert!(is_from_own_page(&Method::POST, &all("https://here"), true));
        assert!(!is_from_own_page(&Method::POST, &all("http://here"), true));
    }

    #[test]
    fn a_cookie_is_found_among_others_and_two_of_a_name_are_none() {
        let found = |fields: &[(&'static str, &'static str)]| match find_cookie(&headers(fields), "mine") {
            FoundCookie::Missing => "nothing".to_owned(),
            FoundCookie::One(value) => value.to_owned(),
            FoundCookie::Several => "several".to_owned(),
        };
        assert_eq!(found(&[]), "nothing");
        assert_eq!(found(&[("cookie", "a=1; mine=x=y;b=2")]), "x=y");
        assert_eq!(found(&[("cookie", "a=1"), ("cookie", "mine=x")]), "x");
        assert_eq!(found(&[("cookie", "notmine=x; Mine=y; mine")]), "nothing");
        assert_eq!(found(&[("cookie", "mine=x; mine=x")]), "several");
    }

    #[test]
    fn the_page_header_counts_once_and_with_one_value() {
        assert!(is_page(&headers(&[("x-bellwether-page", "1")])));
        for fields in [
            &[("x-bellwether-page", "0")][..],
            &[("x-bellwether-page", "")],
            &[("x-bellwether-page", "1"), ("x-bellwether-page", "1")],
            &[],
        ] {
            assert!(!is_page(&headers(fields)), "{fields:?}");
        }
    }
}
