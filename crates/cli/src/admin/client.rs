//! A small HTTP client: one request with the operator's token, one answer.

use std::path::Path;
use std::time::Duration;

use server::admin::access::{FirstOperatorError, read_token};
use ureq::Agent;
use ureq::http::Response;

use crate::client::agent;

const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Put,
}

pub(super) struct Client {
    agent: Agent,
    url: String,
    token: String,
}

pub(super) struct Answer {
    pub(super) is_success: bool,
    pub(super) body: String,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ClientError {
    #[error(transparent)]
    Token(#[from] FirstOperatorError),
    #[error("there is no token in {0}: name the right file with --token-file")]
    NoToken(String),
    #[error("{url} did not answer: {cause}. If the request was sent, it may have been carried out")]
    Transport { url: String, cause: Box<ureq::Error> },
}

impl Client {
    pub(super) fn new(url: &str, token_file: &Path) -> Result<Client, ClientError> {
        let token = read_token(token_file)?;
        let token = token.ok_or_else(|| ClientError::NoToken(token_file.display().to_string()))?;
        Ok(Client { agent: agent(PATIENCE), url: url.trim_end_matches('/').to_owned(), token })
    }

    pub(super) fn send(&self, method: Method, path: &str, body: &str) -> Result<Answer, ClientError> {
        let url = format!("{}{path}", self.url);
        let bearer = format!("Bearer {}", self.token);
        let sent = match method {
            Method::Get => self.agent.get(&url).header("authorization", &bearer).call(),
            Method::Post => with_body(self.agent.post(&url), &bearer, body),
            Method::Put => with_body(self.agent.put(&url), &bearer, body),
        };
        let failed = |cause| ClientError::Transport { url: self.url.clone(), cause: Box::new(cause) };
        let mut response = sent.map_err(failed)?;
        let is_success = response.status().is_success();
        let body = response.body_mut().read_to_string().map_err(failed)?;
        Ok(Answer { is_success, body })
    }
}

type Sent = Result<Response<ureq::Body>, ureq::Error>;

fn with_body(request: ureq::RequestBuilder<ureq::typestate::WithBody>, bearer: &str, body: &str) -> Sent {
    request.header("authorization", bearer).header("content-type", "application/json").send(body)
}
