//! A request being built: method, path, headers, body, and its signature.

use api::signing::{Payload, SigningKey, body_hash};
use axum::body::Body;
use http::Request;
use serde_json::Value;

use super::people::{Key, User};

#[derive(Clone, Debug)]
pub struct Draft {
    pub method: String,
    /// With its query, if it has one.
    pub path: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: Vec<u8>,
}

pub fn draft(method: &str, path: &str) -> Draft {
    Draft { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
}

pub fn get(path: &str) -> Draft {
    draft("GET", path)
}

pub fn post(path: &str) -> Draft {
    draft("POST", path)
}

pub fn put(path: &str) -> Draft {
    draft("PUT", path)
}

pub fn delete(path: &str) -> Draft {
    draft("DELETE", path)
}

/// The base64 HMAC-SHA256 of the canonical payload.
pub fn sign(key: &Key, timestamp: &str, method: &str, path: &str, body_hash: &str) -> String {
    SigningKey::new(&key.secret).sign(&Payload { timestamp, method, path, body_hash })
}

impl Draft {
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Draft {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    pub fn without(mut self, name: &str) -> Draft {
        self.headers.retain(|(present, _)| !present.eq_ignore_ascii_case(name));
        self
    }

    pub fn json(self, body: &Value) -> Draft {
        self.raw(body.to_string().into_bytes()).header("content-type", "application/json")
    }

    pub fn raw(mut self, body: impl Into<Vec<u8>>) -> Draft {
        self.body = body.into();
        self
    }

    pub fn named(self, key: &Key) -> Draft {
        self.header("x-public-key", &key.public)
    }

    pub fn in_session(self, user: &User) -> Draft {
        self.header("x-auth-token", &user.token).header("x-device-id", &user.device)
    }

    /// With the cookie of a session, and nothing else.
    pub fn cookie(self, user: &User) -> Draft {
        self.header("cookie", format!("bellwether_session={}", user.token))
    }

    /// As our page sends it, in a browser that sends fetch metadata.
    pub fn on_page(self, user: &User) -> Draft {
        self.on_page_of(user, user)
    }

    /// As a page that shows `shown` sends it, in a browser that is logged in as `user`.
    pub fn on_page_of(self, shown: &User, user: &User) -> Draft {
        self.cookie(user).on_open_page().header("x-bellwether-as", shown.id.to_string())
    }

    /// A request of the page without a session.
    pub fn on_open_page(self) -> Draft {
        self.header("x-bellwether-page", "1").header("sec-fetch-site", "same-origin")
    }

    pub fn idempotent(self, name: &str) -> Draft {
        self.header("idempotency-key", name)
    }

    /// Signed as it is, with a timestamp in Unix seconds.
    pub fn signed(self, key: &Key, seconds: i64) -> Draft {
        let hash = body_hash(&self.body);
        self.signed_over(key, &seconds.to_string(), &hash)
    }

    /// Signed with a given hash.
    pub fn signed_over(self, key: &Key, timestamp: &str, hash: &str) -> Draft {
        let path = self.path.split('?').next().unwrap_or_default().to_owned();
        let signature = sign(key, timestamp, &self.method, &path, hash);
        self.named(key).header("x-timestamp", timestamp).header("x-signature", signature)
    }

    pub fn into_request(self) -> Request<Body> {
        let mut request = Request::builder().method(self.method.as_str()).uri(&self.path);
        for (name, value) in &self.headers {
            request = request.header(name, value.as_slice());
        }
        request.body(Body::from(self.body)).expect("a request that can be written down")
    }
}
