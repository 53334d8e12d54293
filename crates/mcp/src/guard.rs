//! Admission to the listener: only programs of this machine that have the token.
//!
//! A page in a browser of this machine is on loopback too, so a request with a foreign `Origin` is refused, token or not.
//! `rmcp` also refuses a foreign `Host`.

use std::fmt;

use axum::http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq;
use uuid::Uuid;

/// The token of one process, new at every start.
#[derive(Clone)]
pub(crate) struct Bearer(String);

impl Bearer {
    /// 244 random bits.
    pub(crate) fn random() -> Bearer {
        Bearer(format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple()))
    }

    /// The text for the owner.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where they differ.
    fn matches(&self, given: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(given).into()
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Bearer(…)")
    }
}

/// Whether a request may pass. `port` is the listener's.
pub(crate) fn admit(headers: &HeaderMap, bearer: &Bearer, port: u16) -> Result<(), StatusCode> {
    if !headers.get_all(header::ORIGIN).iter().all(|origin| is_own(origin.as_bytes(), port)) {
        return Err(StatusCode::FORBIDDEN);
    }
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    match (given.next(), given.next()) {
        (Some(value), None) if is_bearer(value.as_bytes(), bearer) => Ok(()),
        _ => Err(StatusCode::UNAUTHORIZED),
    }
}

fn is_bearer(value: &[u8], bearer: &Bearer) -> bool {
    let scheme = b"bearer ";
    value.len() > scheme.len()
        && value[..scheme.len()].eq_ignore_ascii_case(scheme)
        && bearer.matches(&value[scheme.len()..])
}

/// Whether an origin is the listener itself.
fn is_own(origin: &[u8], port: u16) -> bool {
    let hosts = ["127.0.0.1", "localhost", "[::1]"];
    hosts.iter().any(|host| origin.eq_ignore_ascii_case(format!("http://{host}:{port}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderName, StatusCode};

    use super::{Bearer, admit};

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_the_whole_token_passes() {
        let bearer = Bearer::random();
        let token = bearer.reveal();
        let full = format!("Bearer {token}");
        assert_eq!(admit(&headers(&[("authorization", &full)]), &bearer, 1), Ok(()));
        let refused = Err(StatusCode::UNAUTHORIZED);
        let wrong = [
            "Bearer ",
            "Bearer",
            token,
            &full[..full.len() - 1],
            &format!("{full}0"),
            &format!("Basic {token}"),
        ]
        .map(str::to_owned);
        for value in &wrong {
            assert_eq!(admit(&headers(&[("authorization", value)]), &bearer, 1), refused, "{value}");
        }
        assert_eq!(admit(&headers(&[]), &bearer, 1), refused);
        let twice = [("authorization", full.as_str()), ("authorization", full.as_str())];
        assert_eq!(admit(&headers(&twice), &bearer, 1), refused);
        assert_eq!(
            admit(
                &headers(&[("authorization", &format!("Bearer {}", Bearer::random().reveal()))]),
                &bearer,
                1
            ),
            refused
        );
    }

    #[test]
    fn a_foreign_origin_is_refused_even_with_the_token() {
        let bearer = Bearer::random();
        let full = format!("Bearer {}", bearer.reveal());
        for origin in
            ["http://127.0.0.1:7000", "http://localhost:7000", "HTTP://LOCALHOST:7000", "http://[::1]:7000"]
        {
            let given = headers(&[("origin", origin), ("authorization", &full)]);
            assert_eq!(admit(&given, &bearer, 7000), Ok(()), "{origin}");
        }
        for origin in [
            "null",
            "https://localhost:7000",
            "http://localhost",
            "http://localhost:70001",
            "http://evil.example",
        ] {
            let given = headers(&[("origin", origin), ("authorization", &full)]);
            assert_eq!(admit(&given, &bearer, 7000), Err(StatusCode::FORBIDDEN), "{origin}");
        }
        let both = [
            ("origin", "http://localhost:7000"),
            ("origin", "http://evil.example"),
            ("authorization", &full),
        ];
        assert_eq!(admit(&headers(&both), &bearer, 7000), Err(StatusCode::FORBIDDEN));
    }

    #[test]
    fn a_token_is_not_shown_by_accident() {
        let bearer = Bearer::random();
        assert!(!format!("{bearer:?}").contains(bearer.reveal()));
        assert_eq!(bearer.reveal().len(), 64);
    }
}
