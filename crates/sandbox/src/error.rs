//! Why the sandbox does not start, and why it refuses a request.

use std::io;
use std::net::SocketAddr;

use api::error::{BadRequest, ErrorBody};
use exchange::reject::Reject;
use server::admin::access::FirstOperatorError;
use server::audit::journal_copy::JournalCopyError;
use server::node::NodeError;
use server::people::PeopleError;
use server::pipeline::sequencer::SubmitError;
use server::randomness::AlreadySeeded;
use server::startup::StartError;
use server::view;

/// Why the sandbox does not start or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("cannot listen on {address}: {cause}")]
    Listen { address: SocketAddr, cause: io::Error },
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Node(#[from] NodeError),
    #[error(transparent)]
    Operator(#[from] FirstOperatorError),
    #[error(transparent)]
    Seeded(#[from] AlreadySeeded),
    #[error("the sandbox's folder cannot be used: {0}")]
    Folder(#[from] io::Error),
    #[error("sandbox.json cannot be read: {0}. Remove the folder to begin again")]
    Record(String),
    #[error("this folder was made with --{what} {recorded}: use that, or another folder")]
    OtherSettings { what: &'static str, recorded: String },
    #[error("a journal is relived from its beginning, in an empty folder: {folder} has a sandbox")]
    NotEmpty { folder: String },
    #[error("the journal cannot be relived: {0}")]
    Journal(#[from] JournalCopyError),
    #[error("the journal cannot be relived: it skips sequence {sequence}, which no build can decide")]
    SkippedCommands { sequence: u64 },
    #[error("the journal cannot be relived further: {0}")]
    Past(String),
    #[error("the venue could not be built: {0}")]
    Stage(String),
}

/// Why a request to the sandbox is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The request itself is wrong, or the venue's rules refuse it.
    Answered(Box<ErrorBody>),
    /// The venue cannot go on.
    Failed(SandboxError),
}

impl Refusal {
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        ErrorBody::bad_request(message).into()
    }

    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        ErrorBody::not_found(message).into()
    }

    pub(crate) fn rejected(reject: &Reject, now_micros: i64) -> Refusal {
        view::refusal(reject, now_micros).into()
    }

    pub(crate) fn conflict(message: impl Into<String>) -> Refusal {
        ErrorBody::conflict(message).into()
    }

    /// No refusal by the rules or by the request itself: only a venue that cannot go on is an error.
    pub(crate) fn ignore<T>(result: Result<T, Refusal>) -> Result<(), Refusal> {
        match result {
            Err(error @ Refusal::Failed(_)) => Err(error),
            Ok(_) | Err(Refusal::Answered(_)) => Ok(()),
        }
    }

    pub(crate) fn into_body(self) -> ErrorBody {
        match self {
            Refusal::Answered(body) => *body,
            Refusal::Failed(error) => {
                tracing::error!(%error, "the sandbox failed");
                ErrorBody { message: error.to_string(), ..ErrorBody::internal() }
            }
        }
    }
}

impl From<ErrorBody> for Refusal {
    fn from(body: ErrorBody) -> Refusal {
        Refusal::Answered(Box::new(body))
    }
}

impl From<BadRequest> for Refusal {
    fn from(fault: BadRequest) -> Refusal {
        ErrorBody::from(fault).into()
    }
}

impl From<SandboxError> for Refusal {
    fn from(error: SandboxError) -> Refusal {
        Refusal::Failed(error)
    }
}

impl From<SubmitError> for Refusal {
    fn from(error: SubmitError) -> Refusal {
        Refusal::Failed(error.into())
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Failed(error.into())
    }
}

impl From<SubmitError> for SandboxError {
    fn from(error: SubmitError) -> SandboxError {
        SandboxError::Stage(error.to_string())
    }
}

impl From<PeopleError> for SandboxError {
    fn from(error: PeopleError) -> SandboxError {
        SandboxError::Stage(error.to_string())
    }
}
