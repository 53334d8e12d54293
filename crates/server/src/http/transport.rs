//! The bytes of a connection, plain or over TLS.
//!
//! The handshake runs when the first bytes of a request are read. So the time limit of a head includes it, and the
//! connection has its slot meanwhile.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::Accept;
use tokio_rustls::server::TlsStream;

use super::paced_stream::PacedStream;
use super::tls::Tls;

pub(super) enum Transport {
    Plain(PacedStream),
    Handshake(Box<Accept<PacedStream>>),
    Encrypted(Box<TlsStream<PacedStream>>),
    /// After a failed handshake.
    Failed,
}

impl Transport {
    pub(super) fn new(stream: PacedStream, tls: Option<&Tls>) -> Transport {
        match tls {
            Some(tls) => Transport::Handshake(Box::new(tls.acceptor().accept(stream))),
            None => Transport::Plain(stream),
        }
    }

    /// Completes the handshake.
    fn poll_open(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Transport::Handshake(accept) = self else { return Poll::Ready(Ok(())) };
        match ready!(Pin::new(accept.as_mut()).poll(context)) {
            Ok(stream) => {
                *self = Transport::Encrypted(Box::new(stream));
                Poll::Ready(Ok(()))
            }
            Err(error) => {
                *self = Transport::Failed;
                Poll::Ready(Err(error))
            }
        }
    }
}

fn closed<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::ErrorKind::NotConnected.into()))
}

impl AsyncRead for Transport {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let transport = self.get_mut();
        ready!(transport.poll_open(context))?;
        match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Transport::Encrypted(stream) => Pin::new(stream.as_mut()).poll_read(context, buffer),
            Transport::Handshake(_) | Transport::Failed => closed(),
        }
    }
}

impl AsyncWrite for Transport {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let transport = self.get_mut();
        ready!(transport.poll_open(context))?;
        match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Transport::Encrypted(stream) => Pin::new(stream.as_mut()).poll_write(context, bytes),
            Transport::Handshake(_) | Transport::Failed => closed(),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let transport = self.get_mut();
        ready!(transport.poll_open(context))?;
        match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_write_vectored(context, pieces),
            Transport::Encrypted(stream) => Pin::new(stream.as_mut()).poll_write_vectored(context, pieces),
            Transport::Handshake(_) | Transport::Failed => closed(),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Transport::Plain(stream) => stream.is_write_vectored(),
            // Known before the handshake ends: hyper asks once, when the connection begins.
            Transport::Handshake(_) | Transport::Encrypted(_) | Transport::Failed => false,
        }
    }

    /// Nothing waits to be flushed before the handshake has ended.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Transport::Plain(stream) => Pin::new(stream).poll_flush(context),
            Transport::Encrypted(stream) => Pin::new(stream.as_mut()).poll_flush(context),
            Transport::Handshake(_) | Transport::Failed => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Transport::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Transport::Encrypted(stream) => Pin::new(stream.as_mut()).poll_shutdown(context),
            // The socket is closed when this is dropped.
            Transport::Handshake(_) | Transport::Failed => Poll::Ready(Ok(())),
        }
    }
}
