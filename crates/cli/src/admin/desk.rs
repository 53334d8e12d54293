//! Runs commands: sends requests, prints responses, and asks for confirmation before a payout.

use std::io::{self, IsTerminal, Write};

use api::json::{self, WriteJson};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::client::{Client, ClientError, Method};
use super::table;
use crate::output::say;

/// Escaped in a path segment and in the value of a parameter.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b':').remove(b'~');

pub(super) struct Desk {
    pub(super) client: Client,
    /// Responses are printed as received.
    pub(super) json: bool,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The exchange refused; the text is the reason.
    #[error("{0}")]
    Refused(String),
    #[error("Nothing was done.")]
    Declined,
    #[error("{0}")]
    Input(String),
    #[error("{path}: {cause}")]
    File { path: String, cause: io::Error },
    #[error(transparent)]
    Terminal(#[from] io::Error),
}

impl CommandError {
    pub(super) fn input(text: impl Into<String>) -> CommandError {
        CommandError::Input(text.into())
    }
}

/// The parts of an error response that are printed. All are text: a newer exchange may send codes that this build does
/// not know.
#[derive(Deserialize)]
struct Refusal {
    code: Option<String>,
    error: Option<String>,
    message: Option<String>,
}

/// A request body as JSON.
pub(super) fn text(body: &impl WriteJson) -> String {
    String::from_utf8_lossy(&json::to_vec(body)).into_owned()
}

/// Percent-encodes a path segment.
pub(super) fn segment(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// A query string with the parameters that have values.
pub(super) fn query(parameters: &[(&str, Option<String>)]) -> String {
    let given =
        parameters.iter().filter_map(|(name, value)| Some(format!("{name}={}", segment(value.as_ref()?))));
    given.collect::<Vec<_>>().join("&")
}

impl Desk {
    pub(super) fn request(&self, method: Method, path: &str, body: &str) -> Result<String, CommandError> {
        let answer = self.client.send(method, path, body)?;
        if answer.is_success {
            Ok(answer.body)
        } else {
            Err(CommandError::Refused(self.refusal(&answer.body)))
        }
    }

    pub(super) fn get(&self, path: &str) -> Result<String, CommandError> {
        self.request(Method::Get, path, "")
    }

    /// Reads a response to look up ids and names.
    pub(super) fn get_json<T: DeserializeOwned>(&self, path: &str) -> Result<T, CommandError> {
        serde_json::from_str(&self.get(path)?).map_err(|error| CommandError::input(error.to_string()))
    }

    /// Sends a read and prints the response.
    pub(super) fn show(&self, path: &str, columns: &[&str]) -> Result<(), CommandError> {
        self.print(&self.get(path)?, columns);
        Ok(())
    }

    /// Sends a write and prints the response.
    pub(super) fn send(
        &self,
        method: Method,
        path: &str,
        body: &impl WriteJson,
        columns: &[&str],
    ) -> Result<(), CommandError> {
        self.print(&self.request(method, path, &text(body))?, columns);
        Ok(())
    }

    /// A write without a body.
    pub(super) fn act(&self, path: &str) -> Result<(), CommandError> {
        self.print(&self.request(Method::Post, path, "")?, &[]);
        Ok(())
    }

    /// Removes something and prints the response.
    pub(super) fn delete(&self, path: &str, columns: &[&str]) -> Result<(), CommandError> {
        self.print(&self.request(Method::Delete, path, "")?, columns);
        Ok(())
    }

    /// `columns` are the columns of lists to print; none means all.
    pub(super) fn print(&self, body: &str, columns: &[&str]) {
        say!("{}", if self.json { body.to_owned() } else { table::show(body, columns) });
    }

    fn refusal(&self, body: &str) -> String {
        if self.json {
            return body.to_owned();
        }
        let Ok(refused) = serde_json::from_str::<Refusal>(body) else { return body.to_owned() };
        let code = refused.code.or(refused.error).unwrap_or_default();
        let hint = match code.as_str() {
            "NEEDS_PROPOSAL" => ": use `propose`, then `finalise`",
            "NEEDS_ANOTHER" => ": another person must do it",
            _ => "",
        };
        format!("{} ({code}){hint}", refused.message.unwrap_or_else(|| body.to_owned()))
    }

    /// Prints the payout and asks for confirmation. `yes` skips the question.
    pub(super) fn confirm(
        &self,
        preview: Option<&str>,
        question: &str,
        yes: bool,
    ) -> Result<(), CommandError> {
        if yes {
            return Ok(());
        }
        if let Some(preview) = preview {
            eprintln!("{}\n", table::show(preview, PAYOUT_COLUMNS));
        }
        if !io::stdin().is_terminal() {
            eprintln!("{question} There is no terminal to confirm on: use --yes.");
            return Err(CommandError::Declined);
        }
        eprint!("{question} This cannot be undone. Type yes: ");
        io::stderr().flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        if answer.trim() == "yes" { Ok(()) } else { Err(CommandError::Declined) }
    }

    /// A preview for `confirm`; none if `yes` skips it.
    pub(super) fn preview(
        &self,
        path: &str,
        body: &impl WriteJson,
        yes: bool,
    ) -> Result<Option<String>, CommandError> {
        if yes { Ok(None) } else { self.request(Method::Post, path, &text(body)).map(Some) }
    }
}

pub(super) const PAYOUT_COLUMNS: &[&str] = &[
    "currency",
    "amount",
    "eventSlug",
    "market",
    "yesPrice",
    "sets",
    "winners",
    "toUsers",
    "toHouse",
    "restingOrders",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_hides_what_would_end_it() {
        assert_eq!(segment("rain:2"), "rain:2");
        assert_eq!(segment("a/b?c ü"), "a%2Fb%3Fc%20%C3%BC");
        assert_eq!(query(&[("a", Some("1 2".to_owned())), ("b", None)]), "a=1%202");
    }
}
