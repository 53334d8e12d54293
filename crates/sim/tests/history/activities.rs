//! Activities of every user in every group.

use exchange::id::UserId;
use exchange::order::{OrderKind, OrderRecord, Side};
use server::history::{ActivityFilter, Page, StoredActivity, Window};

use crate::history::model::{Model, What};
use crate::history::pages::{page, walking_size, window};
use crate::history::trial::Trial;

type Row = StoredActivity<OrderRecord>;

pub const GROUPS: [Option<ActivityFilter>; 6] = [
    None,
    Some(ActivityFilter::Buys),
    Some(ActivityFilter::Sells),
    Some(ActivityFilter::Limits),
    Some(ActivityFilter::Payout),
    Some(ActivityFilter::Sets),
];

/// Everything that happened to a user and belongs to the group, newest first, numbered from the oldest.
pub fn matching(model: &Model, user: UserId, group: Option<ActivityFilter>) -> Vec<(u64, Row)> {
    let of_user = model.activities.iter().filter(|told| told.user == user);
    let of_group = of_user.filter(|told| belongs(model, told.what, group));
    let mut rows: Vec<_> = (0..).zip(of_group.map(|told| row(model, told.what))).collect();
    rows.reverse();
    rows
}

/// The table of the contract: fills are in their groups only.
fn belongs(model: &Model, what: What, group: Option<ActivityFilter>) -> bool {
    let of_order = |place: usize| {
        let terms = &model.orders[place].terms;
        match (terms.kind, terms.side) {
            (OrderKind::Limit, _) => ActivityFilter::Limits,
            (OrderKind::Market, Side::Buy) => ActivityFilter::Buys,
            (OrderKind::Market, Side::Sell) => ActivityFilter::Sells,
        }
    };
    let of_fill = |side: Side| match side {
        Side::Buy => ActivityFilter::Buys,
        Side::Sell => ActivityFilter::Sells,
    };
    match (what, group) {
        (What::Took(_) | What::Made(_), None) => false,
        (_, None) => true,
        (What::Created(place) | What::Cancelled(place) | What::Expired(place), Some(group)) => {
            of_order(place) == group
        }
        (What::Took(place), Some(group)) => of_fill(model.fill(place).trade.taker.side) == group,
        (What::Made(place), Some(group)) => of_fill(model.fill(place).trade.maker.side) == group,
        (What::Sets(_), Some(group)) => group == ActivityFilter::Sets,
        (What::Paid(place, _), Some(group)) => {
            group == ActivityFilter::Payout && !model.settlements[place].settled.is_refund
        }
    }
}

/// Orders in their current state.
fn row(model: &Model, what: What) -> Row {
    match what {
        What::Created(place) => StoredActivity::Created(model.orders[place].clone()),
        What::Cancelled(place) => StoredActivity::Cancelled(model.orders[place].clone()),
        What::Expired(place) => StoredActivity::Expired(model.orders[place].clone()),
        What::Took(place) => StoredActivity::Took(model.fill(place)),
        What::Made(place) => StoredActivity::Made(model.fill(place)),
        What::Sets(place) => StoredActivity::Sets(model.sets[place].clone()),
        What::Paid(place, outcome) => {
            StoredActivity::PaidOut { settlement: model.settlements[place].clone(), outcome }
        }
    }
}

impl Trial<'_> {
    pub fn activities(&mut self, user: UserId, group: Option<ActivityFilter>, window: Window) -> Page<Row> {
        let page = self.kept.ask(self.exchange, |history| history.activities(user, group, window));
        self.kept.with_orders(self.exchange, user, page)
    }

    pub fn compare_activities(
        &mut self,
        user: UserId,
        group: Option<ActivityFilter>,
        rows: &[(u64, Row)],
        window: Window,
    ) -> Page<Row> {
        let got = self.activities(user, group, window);
        let rows: Vec<_> = rows.iter().map(|(number, row)| (*number, row)).collect();
        self.same_page(&got, &page(&rows, window), || format!("activities of {user} {group:?} {window:?}"));
        got
    }

    pub fn check_activities(&mut self, rounds: usize) {
        let mut users: Vec<_> = self.exchange.directory().users().map(|(_, user)| user.id).collect();
        users.push(UserId::new(77));
        for user in users {
            for group in GROUPS {
                let rows = matching(self.model, user, group);
                for _ in 0..rounds {
                    let window = window(self.random, rows.len(), rows.len() as u64);
                    self.compare_activities(user, group, &rows, window);
                }
                let size = walking_size(self.random, rows.len());
                let mut window = Window::Page { page: 1, size };
                while let Some(cursor) = self.compare_activities(user, group, &rows, window).next {
                    window = Window::After { cursor, size };
                }
            }
        }
    }
}
