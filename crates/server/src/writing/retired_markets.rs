//! Distinguishes retired markets from unknown ones in responses.
//!
//! The rules see only what is in memory and report every other outcome, market and event as not found. History has the
//! retired ones, so such a rejection is corrected afterwards: the rules' checks run on the event as it was when it
//! retired, and report that its market is not open. First responses and replays are corrected alike, so that their
//! bytes stay identical. Accepted commands cost nothing extra.
//!
//! A batch has been carried out by then: while history cannot be read, its response is sent uncorrected.

use exchange::Shelf;
use exchange::command::{BurnSets, CancelAllOrders, Command, MintSets};
use exchange::order::{Item, NewOrder};

use super::Writing;
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::respond::Content;
use crate::view;

/// The markets and events that a command names, if its response can depend on whether they have retired.
fn retirable_names(command: &Command) -> Vec<RetiredName> {
    let of_order = |order: &NewOrder| {
        let event = order.path.map(|path| RetiredName::Event(path.event));
        [RetiredName::Outcome(order.outcome)].into_iter().chain(event)
    };
    match command {
        Command::PlaceOrder(order) => of_order(order).collect(),
        Command::PlaceOrders(batch) => batch.items.iter().filter_map(valid).flat_map(of_order).collect(),
        Command::MintSets(MintSets { market, .. }) | Command::BurnSets(BurnSets { market, .. }) => {
            vec![RetiredName::Market(*market)]
        }
        Command::CancelAllOrders(CancelAllOrders { event, market, .. }) => {
            let event = event.map(RetiredName::Event);
            event.into_iter().chain(market.map(RetiredName::Market)).collect()
        }
        _ => Vec::new(),
    }
}

fn valid(item: &Item<NewOrder>) -> Option<&NewOrder> {
    match item {
        Item::Valid(order) => Some(order),
        Item::Malformed(_) => None,
    }
}

impl Writing {
    /// Corrects a response from history.
    pub(super) async fn correct_retired(
        &self,
        command: &Command,
        mut content: Content,
    ) -> Result<Content, Failure> {
        let may_be_retired = content.is_not_found() || content.missing_markets().next().is_some();
        if !may_be_retired || self.shared.read().catalogue().retired_count() == 0 {
            return Ok(content);
        }
        let names = retirable_names(command);
        if names.is_empty() {
            return Ok(content);
        }
        match (self.reading.shelf_of(names).await, command) {
            (Ok(shelf), _) => Ok(self.correct_from(&shelf, command, content)),
            (Err(_), Command::PlaceOrders(_)) => Ok(content),
            (Err(failure), _) => Err(failure),
        }
    }

    fn correct_from(&self, shelf: &Shelf, command: &Command, mut content: Content) -> Content {
        let refuse = |reject| Content::refusal(&view::refusal(&reject, shelf.now().micros()));
        let has = |order: &NewOrder| shelf.catalogue().find_outcome(order.outcome).is_some();
        match command {
            Command::PlaceOrder(order) if has(order) => refuse(shelf.refuse_order(order)),
            Command::PlaceOrders(batch) => {
                for (place, error) in content.missing_markets() {
                    let order = batch.items.get(place).and_then(valid).filter(|order| has(order));
                    if let Some(order) = order {
                        *error = view::refusal::of_item(&shelf.refuse_order(order));
                    }
                }
                content
            }
            Command::MintSets(MintSets { market, currency, amount, .. })
            | Command::BurnSets(BurnSets { market, currency, amount, .. })
                if shelf.catalogue().find_market(*market).is_some() =>
            {
                refuse(shelf.refuse_sets(*market, *currency, *amount))
            }
            Command::CancelAllOrders(cancel) if self.has_ended(shelf, cancel) => {
                Content::CancelAllOrders(Vec::new())
            }
            _ => content,
        }
    }

    /// Whether everything that a cancel names exists, in memory or on the shelf; then there is nothing left to cancel.
    fn has_ended(&self, shelf: &Shelf, cancel: &CancelAllOrders) -> bool {
        let live = self.shared.read();
        let has_event =
            |id| live.catalogue().find_event(id).or_else(|| shelf.catalogue().find_event(id)).is_some();
        let has_market =
            |id| live.catalogue().find_market(id).or_else(|| shelf.catalogue().find_market(id)).is_some();
        cancel.event.is_none_or(has_event) && cancel.market.is_none_or(has_market)
    }
}
