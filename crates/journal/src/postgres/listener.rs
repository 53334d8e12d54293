//! Receives a notification for every committed append. Notifications are lost while the connection is down, so readers
//! must also poll; the end of a connection and every new one count as a notification.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::Notify;
use tokio_postgres::AsyncMessage;

use super::CALL_MAX;
use super::address::Address;
use super::schema::CHANNEL;
use crate::{Error, Sequence};

/// Notifications may have been missed.
const ANY: Sequence = Sequence(u64::MAX);
const CONNECT_AGAIN_AFTER: Duration = Duration::from_millis(500);

type OnAppend = Box<dyn Fn(Sequence) + Send>;

/// A thread with its own connection, which ends when this is dropped.
pub struct Listener {
    stop: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    pub(super) fn start(address: Address, on_append: OnAppend) -> Result<Listener, Error> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(Error::disk("make a runtime for", "the database"))?;
        let stop = Arc::new(Notify::new());
        let stopping = Arc::clone(&stop);
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = stopping.notified() => {}
                    () = listen_forever(&address, &on_append) => {}
                }
            });
        };
        let thread = thread::Builder::new().name("listen".to_owned()).spawn(work);
        let thread = thread.map_err(Error::disk("start a thread for", "the database"))?;
        Ok(Listener { stop, thread: Some(thread) })
    }
}

async fn listen_forever(address: &Address, on_append: &OnAppend) {
    loop {
        // Other users of the database report the error; this thread only reconnects.
        let _ = listen(address, on_append).await;
        // The writer's connection has probably ended too. If it has, the writer must connect again and claim its mark.
        on_append(ANY);
        tokio::time::sleep(CONNECT_AGAIN_AFTER).await;
    }
}

async fn listen(address: &Address, on_append: &OnAppend) -> Result<(), Error> {
    let connect = |host: Address| async move {
        host.connect().await.map_err(|error| Error::database("connect to", &error))
    };
    let connecting = tokio::time::timeout(CALL_MAX, address.connect_to_any(connect)).await;
    let Ok(connected) = connecting else { return Ok(()) };
    let (client, mut connection) = connected?;
    let listen = format!("LISTEN {CHANNEL}");
    let mut listening = pin!(client.batch_execute(&listen));
    let mut is_listening = false;
    poll_fn(|context| {
        loop {
            // Poll until there are no more messages; the connection then wakes this task for the next one.
            match connection.poll_message(context) {
                Poll::Ready(Some(Ok(message))) => {
                    if let AsyncMessage::Notification(notification) = message {
                        on_append(notification.payload().parse().map_or(ANY, Sequence));
                    }
                    continue;
                }
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(error)),
                Poll::Ready(None) => return Poll::Ready(Ok(())),
                Poll::Pending => {}
            }
            if is_listening {
                return Poll::Pending;
            }
            match listening.as_mut().poll(context) {
                Poll::Ready(Ok(())) => {
                    is_listening = true;
                    on_append(ANY);
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
        }
    })
    .await
    .map_err(|error| Error::database("listen to", &error))
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            // The thread returns no value.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Listener").finish_non_exhaustive()
    }
}
