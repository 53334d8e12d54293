//! One caller's connection: signed requests, and raw answers.

use std::time::{SystemTime, UNIX_EPOCH};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use serde_json::Value;

use crate::demo::Demo;

pub struct Wire {
    agent: ureq::Agent,
    base: String,
    public: String,
    key: SigningKey,
}

/// A whole answer.
pub struct Answer {
    pub status: u16,
    pub is_replay: bool,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("a JSON body")
    }
}

impl Wire {
    pub fn new(demo: &Demo, person: usize) -> Wire {
        Wire::to(demo.text("/baseUrl"), &demo.json, person)
    }

    /// A person of this record, at any address.
    pub fn to(base: &str, record: &Value, person: usize) -> Wire {
        let agent =
            ureq::Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true);
        let text = |name: &str| record["users"][person][name].as_str().expect("a person with keys");
        Wire {
            agent: agent.build().into(),
            base: base.to_owned(),
            public: text("publicKey").to_owned(),
            key: SigningKey::new(&SecretKey::from_text(text("secretKey"))),
        }
    }

    /// None: the connection ended before the answer did.
    pub fn write(&self, method: &str, path: &str, body: &str, name: Option<&str>) -> Option<Answer> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs().to_string();
        let hash = if body.is_empty() { String::new() } else { body_hash(body.as_bytes()) };
        let signature = self.key.sign(&Payload { timestamp: &now, method, path, body_hash: &hash });
        let mut request = http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("X-Public-Key", &self.public)
            .header("X-Timestamp", &now)
            .header("X-Signature", &signature);
        if let Some(name) = name {
            request = request.header("Idempotency-Key", name);
        }
        let mut response = self.agent.run(request.body(body.as_bytes().to_vec()).expect("a request")).ok()?;
        let text = response.body_mut().read_to_string().ok()?;
        let is_replay = response.headers().contains_key("idempotent-replayed");
        Some(Answer { status: response.status().as_u16(), is_replay, text })
    }

    /// A read that must be answered with 200.
    pub fn read(&self, path: &str) -> Value {
        let request = self.agent.get(format!("{}{path}", self.base)).header("X-Public-Key", &self.public);
        let mut response = request.call().expect("an answer");
        let text = response.body_mut().read_to_string().expect("a whole answer");
        assert_eq!(response.status().as_u16(), 200, "{path}: {text}");
        serde_json::from_str(&text).expect("a JSON body")
    }
}
