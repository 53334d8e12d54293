//! Followers of a stream that remember every state of its local copy, to compare with reads of the exchange.

use std::sync::{Arc, Mutex, PoisonError};

use client::models::OrderData;
use client::{
    AccountStream, BookLevel, Currency, LocalAccount, LocalBook, MarketStream, OrderStatus, OutcomeSide,
    Result, Update, UpdateKind,
};
use tokio::sync::Notify;

use crate::within;

/// A copy after one update. Values are texts, so that they can be compared.
struct State {
    kind: UpdateKind,
    sequence: u64,
    head: u64,
    texts: Vec<String>,
}

/// All states of a copy so far.
#[derive(Clone, Default)]
pub(crate) struct Past {
    states: Arc<Mutex<Vec<State>>>,
    news: Arc<Notify>,
}

impl Past {
    fn add(&self, update: &Update, texts: Vec<String>) {
        let Update { kind, sequence, head, .. } = *update;
        self.states().push(State { kind, sequence, head, texts });
        self.news.notify_waiters();
    }

    fn states(&self) -> std::sync::MutexGuard<'_, Vec<State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often the copy was not to be trusted.
    pub(crate) fn losses(&self) -> usize {
        self.states().iter().filter(|state| state.kind == UpdateKind::Untrusted).count()
    }

    /// The text with this number at a sequence. None: a snapshot skipped it.
    pub(crate) async fn at(&self, sequence: u64, text: usize) -> Option<String> {
        within(&format!("sequence {sequence} in a stream"), async {
            loop {
                let news = self.news.notified();
                if self.states().last().is_some_and(|state| state.head >= sequence) {
                    return;
                }
                news.await;
            }
        })
        .await;
        let states = self.states();
        let last = states.iter().position(|state| state.sequence > sequence).unwrap_or(states.len());
        if last == 0 || states.get(last).is_some_and(|state| state.kind == UpdateKind::Snapshot) {
            return None;
        }
        Some(states[last - 1].texts[text].clone())
    }
}

/// Follows a market until its stream fails: all levels.
pub(crate) async fn follow_market(mut stream: MarketStream, past: Past) -> Result<()> {
    loop {
        let update = stream.next().await?;
        past.add(&update, vec![book_text(stream.book())]);
    }
}

/// Follows an account until its stream fails: the open orders, and the dollars.
pub(crate) async fn follow_account(mut stream: AccountStream, past: Past) -> Result<()> {
    loop {
        let update = stream.next().await?;
        let account = stream.account();
        past.add(&update, vec![open_orders_text(account), dollars_text(account)]);
    }
}

fn book_text(book: &LocalBook) -> String {
    let level = |level: &BookLevel| format!("{} @ {}", level.quantity, level.price);
    let side = |levels: Vec<BookLevel>| levels.iter().map(level).collect::<Vec<_>>().join(", ");
    format!("{} | {}", side(book.bids(OutcomeSide::Yes)), side(book.asks(OutcomeSide::Yes)))
}

/// The size of each order that rests and has no fill.
fn open_orders_text(account: &LocalAccount) -> String {
    orders_text(account.orders().filter(|order| order.status == OrderStatus::Open))
}

pub(crate) fn orders_text<'a>(orders: impl Iterator<Item = &'a OrderData>) -> String {
    let mut texts: Vec<_> = orders.map(|order| format!("{} {}", order.id, order.size)).collect();
    texts.sort_unstable();
    texts.join(", ")
}

fn dollars_text(account: &LocalAccount) -> String {
    let wallet = account.wallet(Currency::Usd);
    wallet.map(|wallet| format!("{} {}", wallet.available, wallet.pending)).unwrap_or_default()
}
