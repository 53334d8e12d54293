//! A request body with a time limit. The timer starts at the first read that has to wait, so a body that arrives with
//! its head needs no timer.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

/// The time limit of a body expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the body did not arrive in time")]
pub struct Late;

/// Whether an error is `Late` or was caused by it.
pub fn is_late(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<Late>() {
            return true;
        }
        cause = error.source();
    }
    false
}

#[derive(Debug)]
pub struct TimedBody {
    incoming: Incoming,
    allowed: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    pub fn new(incoming: Incoming, allowed: Duration) -> TimedBody {
        TimedBody { incoming, allowed, waiting: None }
    }
}

impl Body for TimedBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let body = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut body.incoming).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let allowed = body.allowed;
        let waiting = body.waiting.get_or_insert_with(|| Box::pin(sleep(allowed)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Some(Err(Late.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}
