//! A client of one room over HTTP, in process: reads missed changes, feeds a replica, samples the other reads.

use exchange::id::MarketId;
use exchange::numbers::Currency;
use exchange::order::Outcome;
use fastrand::Rng;
use serde_json::Value;
use stage::node::{Draft, Stage, get};
use stage::replica::{Answer, Fault, Replica};
use uuid::Uuid;

use super::traffic::World;

/// The subject of a room.
#[derive(Clone, Debug)]
pub enum Subject {
    Market {
        event: Uuid,
        market: MarketId,
        currency: Currency,
    },
    /// By the public key.
    Account {
        user: Uuid,
        key: String,
    },
}

impl Subject {
    /// The subjects of a world: its book in both currencies, its pool, both accounts.
    pub fn all(world: &World) -> Vec<Subject> {
        let market = |event, market, currency| Subject::Market { event, market, currency };
        let account = |user: usize| {
            let user = &world.users[user];
            Subject::Account { user: user.id, key: user.key.public.clone() }
        };
        vec![
            market(world.event, world.book, Currency::Usd),
            market(world.event, world.book, Currency::Ngn),
            market(world.pool_event, world.pool, Currency::Usd),
            account(0),
            account(1),
        ]
    }

    pub fn room(&self) -> String {
        match self {
            Subject::Market { market, currency, .. } => format!("changes:{market}:{}", currency.code()),
            Subject::Account { user, .. } => format!("changes:{user}"),
        }
    }

    pub fn changes(&self, query: &str) -> Draft {
        match self {
            Subject::Market { market, currency, .. } => {
                get(&format!("/v1/pm/markets/{market}/changes?currency={}{query}", currency.code()))
            }
            Subject::Account { key, .. } => {
                get(&format!("/v1/pm/account/changes?{query}")).header("x-public-key", key)
            }
        }
    }

    /// A REST read of the same subject, with its sequence. There are five kinds; the last is only for quiet moments,
    /// because history may be ahead of the sequence of the request.
    pub async fn sample(&self, stage: &Stage, kind: u8) -> (u64, Answer) {
        let ask = async |draft: Draft| {
            let answered = stage.ask(draft).await;
            let sequence = answered.header("x-sequence").and_then(|text| text.parse().ok());
            let body = answered.expect(200);
            (sequence.unwrap_or_else(|| panic!("a sequence with {body}")), body)
        };
        match self {
            Subject::Market { event, market, currency } => {
                let code = currency.code();
                match kind {
                    0 => {
                        let path = format!("/v1/pm/events/{event}?currency={code}");
                        let (sequence, body) = ask(get(&path)).await;
                        (sequence, Answer::Market(body["markets"][0].clone()))
                    }
                    1 => {
                        let (sequence, body) = ask(get(&format!("/v1/pm/events/{event}/resolution"))).await;
                        (sequence, Answer::Resolution(body, market.to_string()))
                    }
                    _ => {
                        let [yes, no] = Outcome::BOTH
                            .map(|outcome| exchange::id::OutcomeId::of(*market, outcome as u64).to_string());
                        let path = format!("/v1/pm/books?outcomeId={yes},{no}&depth=99&currency={code}");
                        let (sequence, body) = ask(get(&path)).await;
                        (sequence, Answer::Books(body, if *currency == Currency::Ngn { 100 } else { 1 }))
                    }
                }
            }
            Subject::Account { key, .. } => {
                let read = |path: &str| get(path).header("x-public-key", key);
                match kind {
                    0 => {
                        let (sequence, body) = ask(read("/v1/pm/orders?status=open&size=100")).await;
                        (sequence, Answer::Orders(body, "open"))
                    }
                    1 => {
                        let (sequence, body) =
                            ask(read("/v1/pm/orders?status=partial_filled&size=100")).await;
                        (sequence, Answer::Orders(body, "partial_filled"))
                    }
                    4 => loop {
                        let before = stage.seq();
                        let (sequence, body) = ask(read("/v1/pm/orders?size=100")).await;
                        if stage.seq() == before {
                            return (sequence, Answer::History(body));
                        }
                    },
                    2 => {
                        let (sequence, body) = ask(read("/v1/wallet/assets")).await;
                        (sequence, Answer::Wallets(body))
                    }
                    _ => {
                        let (sequence, body) = ask(read("/v1/pm/portfolio?size=100")).await;
                        (sequence, Answer::Portfolio(body))
                    }
                }
            }
        }
    }
}

/// Counts over the followers of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub judged: usize,
    pub deltas: usize,
    pub snapshots: usize,
    pub resumed: usize,
}

/// Changes messages in transit, to plant bugs.
pub type Tamper = Box<dyn FnMut(&mut Vec<Value>)>;

pub struct Follower {
    pub subject: Subject,
    pub replica: Replica,
    /// Earlier copies: a reader that lost its last moments resumes from one of these.
    pub earlier: Vec<Replica>,
    pub tamper: Option<Tamper>,
    pub tally: Tally,
}

impl Follower {
    pub fn new(subject: Subject) -> Follower {
        let replica = Replica::new(&subject.room());
        Follower { subject, replica, earlier: Vec::new(), tamper: None, tally: Tally::default() }
    }

    /// Polls once from the replica's sequence, and returns whether it is up to date.
    pub async fn poll(&mut self, stage: &Stage, rng: &mut Rng) -> Result<bool, Fault> {
        let limit = if rng.u8(..4) == 0 { rng.u32(1..5) } else { 1_000 };
        let after = self.replica.sequence.map(|after| format!("&after={after}")).unwrap_or_default();
        let page = stage.ask(self.subject.changes(&format!("{after}&limit={limit}"))).await.expect(200);
        self.take(page)
    }

    fn take(&mut self, mut page: Value) -> Result<bool, Fault> {
        let mut messages = page["changes"].as_array_mut().map(std::mem::take).unwrap_or_default();
        self.tally.resumed += usize::from(self.replica.sequence.is_some() && !has_snapshot(&messages));
        if let Some(tamper) = &mut self.tamper {
            tamper(&mut messages);
        }
        if has_snapshot(&messages) && messages.len() > 1 {
            return Err("a snapshot and something else".to_owned());
        }
        for message in &messages {
            let is_snapshot = message["type"] == "snapshot";
            self.tally.snapshots += usize::from(is_snapshot);
            self.tally.deltas += usize::from(!is_snapshot);
            self.replica.feed(message)?;
        }
        if self.replica.sequence != page["sequence"].as_u64() {
            return Err(format!(
                "the page ends at {}, the reader at {:?}",
                page["sequence"], self.replica.sequence
            ));
        }
        self.replica.reach(page["head"].as_u64().ok_or("a page without a head")?)?;
        if self.earlier.len() < 8 {
            self.earlier.push(self.replica.clone());
        }
        Ok(page["head"] != page["sequence"] || messages.is_empty() || has_snapshot(&messages))
    }

    /// Claims a position that the server never sent; the answer must be a snapshot.
    pub async fn claim(&mut self, stage: &Stage, after: u64) -> Result<(), Fault> {
        let page = stage.ask(self.subject.changes(&format!("&after={after}"))).await.expect(200);
        if !has_snapshot(page["changes"].as_array().map_or(&[], Vec::as_slice)) {
            return Err(format!("{after} is not known here, and yet: {page}"));
        }
        self.take(page).map(drop)
    }

    pub async fn look(&mut self, stage: &Stage, kind: u8) {
        let (sequence, answer) = self.subject.sample(stage, kind).await;
        self.replica.expect(sequence, answer);
    }

    /// Loses everything, or the last moments.
    pub fn forget(&mut self, rng: &mut Rng) {
        self.tally.judged += self.replica.judged;
        self.replica = match rng.bool() {
            true if !self.earlier.is_empty() => self.earlier.swap_remove(rng.usize(..self.earlier.len())),
            _ => Replica::new(&self.subject.room()),
        };
        self.replica.judged = 0;
        self.earlier.retain(|earlier| earlier.sequence <= self.replica.sequence);
    }

    pub fn finish(mut self) -> Result<Tally, Fault> {
        self.tally.judged += self.replica.judged;
        match self.replica.waiting() {
            0 => Ok(self.tally),
            waiting => Err(format!("{waiting} answers were never judged")),
        }
    }
}

fn has_snapshot(messages: &[Value]) -> bool {
    messages.iter().any(|message| message["type"] == "snapshot")
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.judged += other.judged;
        self.deltas += other.deltas;
        self.snapshots += other.snapshots;
        self.resumed += other.resumed;
    }
}
