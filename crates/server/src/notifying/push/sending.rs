//! The thread that sends push messages: a few requests at once (`turns`), a few seconds each, no redirects and no retries. A
//! push service that no longer knows a subscription ends it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use exchange::id::{RowId, UserId};
use http::StatusCode;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use rustls::crypto::ring::default_provider;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use super::encryption::encrypt;
use super::endpoint::{PublicResolver, Reach, parse};
use super::key::{NO_CONTACT, PushKey};
use super::turns::{Running, Sent, Turns};
use crate::people::entries::{EntryKind, PushTarget};
use crate::people::{People, PeopleError};
use crate::pipeline::clock::{Clock, SystemClock};

/// Messages on their way to the thread, which takes them at once; further ones are dropped.
const QUEUE_MAX: usize = 256;
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long a push service keeps a message for a browser that is away.
const TIME_TO_LIVE_SECONDS: u32 = 86_400;

/// A message for one subscription.
#[derive(Debug)]
pub(in crate::notifying) struct PushJob {
    pub(in crate::notifying) person: UserId,
    pub(in crate::notifying) id: RowId,
    pub(in crate::notifying) target: PushTarget,
    pub(in crate::notifying) payload: Vec<u8>,
}

/// The queue to the thread, which ends when the last outbox is dropped.
#[derive(Clone, Debug)]
pub(in crate::notifying) struct Outbox(Sender<PushJob>);

impl Outbox {
    pub(in crate::notifying) fn send(&self, job: PushJob) {
        if self.0.try_send(job).is_err() {
            tracing::warn!("dropped a push message: too many wait");
        }
    }
}

pub(in crate::notifying) fn start(
    key: PushKey,
    people: Arc<People>,
    reach: Reach,
    contact: Arc<OnceLock<String>>,
) -> Result<(Outbox, JoinHandle<()>), PeopleError> {
    let (send, jobs) = channel(QUEUE_MAX);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let sender = Arc::new(PushSender { key, people, reach, contact });
    let work = move || runtime.block_on(run(&sender, jobs));
    let thread = std::thread::Builder::new().name("push".to_owned()).spawn(work)?;
    Ok((Outbox(send), thread))
}

#[derive(Debug)]
struct PushSender {
    key: PushKey,
    people: Arc<People>,
    reach: Reach,
    /// How a push service reaches the venue.
    contact: Arc<OnceLock<String>>,
}

/// Sends until the queue is closed. Requests that still run then are ended.
async fn run(sender: &Arc<PushSender>, mut jobs: Receiver<PushJob>) {
    // Made when the first message is sent: a machine without certificates can run without push.
    let mut client: Option<Client> = None;
    let mut turns = Turns::default();
    let (mut requests, mut running) = (JoinSet::new(), HashMap::<Id, Running>::new());
    loop {
        tokio::select! {
            job = jobs.recv() => {
                let Some(job) = job else { return };
                sender.add(&mut turns, job);
            }
            Some(ended) = requests.join_next_with_id() => {
                let (id, sent) = ended.unwrap_or_else(|error| (error.id(), Sent::Failed));
                if let Some(ended) = running.remove(&id) {
                    turns.end(&ended, sent, Instant::now());
                }
            }
        }
        if client.is_none() {
            let made = sender.client();
            client = made.inspect_err(|error| tracing::warn!(%error, "cannot send push messages")).ok();
        }
        let Some(client) = &client else { continue };
        while let Some((begun, job)) = turns.next(Instant::now()) {
            let (sender, client) = (sender.clone(), client.clone());
            let request = requests.spawn(async move { sender.send(&client, job).await });
            running.insert(request.id(), begun);
        }
    }
}

impl PushSender {
    fn client(&self) -> reqwest::Result<Client> {
        // Fails if another crate installed a provider first; any provider will do.
        let _ = default_provider().install_default();
        let builder = Client::builder()
            .timeout(TIMEOUT)
            .redirect(Policy::none())
            .no_proxy()
            .dns_resolver(PublicResolver(self.reach))
            .user_agent(concat!("bellwether/", env!("CARGO_PKG_VERSION")));
        match self.reach {
            Reach::Public => builder.build(),
            // Tests use plain http.
            Reach::Loopback => builder.tls_certs_only([]).build(),
        }
    }

    fn add(&self, turns: &mut Turns, job: PushJob) {
        // Checked again: the permitted addresses may have changed since the subscription.
        let Ok(url) = parse(&job.target.endpoint, self.reach) else { return };
        let host = url.host_str().unwrap_or_default().to_owned();
        if !turns.add(host, job, Instant::now()) {
            tracing::info!("dropped a push message: its person has too many, or its service does not answer");
        }
    }

    async fn send(&self, client: &Client, job: PushJob) -> Sent {
        let Ok(url) = parse(&job.target.endpoint, self.reach) else { return Sent::Answered };
        let Some(status) = self.post(client, url, &job).await else { return Sent::Failed };
        if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
            let removed = self.people.remove_entry(job.person, EntryKind::Subscription, job.id).await;
            if let Err(error) = removed {
                tracing::warn!(%error, "cannot remove a push subscription that has ended");
            }
        } else if !status.is_success() {
            tracing::info!(%status, "a push service refused a message");
        }
        let is_busy = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
        if is_busy { Sent::Failed } else { Sent::Answered }
    }

    /// The status of the response; `None` without one. The endpoint is a secret, so no error names it.
    async fn post(&self, client: &Client, url: Url, job: &PushJob) -> Option<StatusCode> {
        let origin = url.origin().ascii_serialization();
        let contact = self.contact.get().map_or(NO_CONTACT, String::as_str);
        let authorization = self.key.authorization(&origin, contact, SystemClock.now() / 1_000_000)?;
        let body = encrypt(&job.target, &job.payload)
            .inspect_err(|_| tracing::info!("a push subscription has an invalid key"))
            .ok()?;
        let request = client
            .post(url)
            .header("authorization", authorization)
            .header("content-encoding", "aes128gcm")
            .header("content-type", "application/octet-stream")
            .header("ttl", TIME_TO_LIVE_SECONDS)
            .header("urgency", "normal")
            .body(body);
        let sent = request.send().await.inspect_err(|error| {
            tracing::info!(is_timeout = error.is_timeout(), "a push service cannot be reached");
        });
        sent.ok().map(|response| response.status())
    }
}
