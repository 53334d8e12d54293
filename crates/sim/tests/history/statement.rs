//! Statements and notices of every user: amounts, running balances and sequences.

use exchange::id::{OrderId, UserId};
use exchange::numbers::{Currency, Money};
use exchange::time::Time;
use server::history::{FillSums, NoticeSubject, Page, StoredFills, StoredMovement, Window};

use crate::history::model::{Model, Notice, Notified};
use crate::history::pages::{page, walking_size, window};
use crate::history::trial::Trial;

/// A row of a statement: sequence, time, amount, balance.
type Row = (u64, Time, Money, Money);
/// A notice as it is shown: sequence, time and subject.
type ShownNotice = (u64, Time, Notified);

fn row(movement: &StoredMovement) -> Row {
    (movement.seq, movement.at, movement.amount, movement.balance)
}

/// All movements of a wallet, newest first, each with its number among all movements.
fn matching(model: &Model, user: UserId, currency: Currency) -> Vec<(u64, Row)> {
    let mut balance = Money::ZERO;
    let of_wallet =
        (0..).zip(&model.movements).filter(|(_, moved)| moved.user == user && moved.currency == currency);
    let mut rows: Vec<(u64, Row)> = of_wallet
        .map(|(number, moved)| {
            balance += moved.amount;
            (number, (moved.seq, moved.at, moved.amount, balance))
        })
        .collect();
    rows.reverse();
    rows
}

fn what<O>(subject: &NoticeSubject<O>) -> Notified {
    match subject {
        NoticeSubject::Filled(_) => Notified::Filled,
        NoticeSubject::Made(StoredFills { newest, sums }) => {
            let (trade, maker) = (&newest.trade, &newest.trade.maker);
            let FillSums { fills, shares, value, is_of_one_order } = sums;
            Notified::Made {
                place: (trade.market, trade.currency, maker.outcome, maker.side),
                order: maker.order,
                fills: (*fills, shares.units(), value.units(), *is_of_one_order),
            }
        }
        NoticeSubject::Settled(_) => Notified::Settled,
    }
}

/// The order of a fill is shown only if all fills are of it.
fn shown(seq: u64, at: Time, mut what: Notified) -> ShownNotice {
    if let Notified::Made { order, fills: (.., false), .. } = &mut what {
        *order = OrderId::new(0);
    }
    (seq, at, what)
}

impl Trial<'_> {
    fn compare_statement(
        &mut self,
        user: UserId,
        currency: Currency,
        rows: &[(u64, Row)],
        window: Window,
    ) -> Page<Row> {
        let got = self.kept.ask(self.exchange, |history| history.statement(user, currency, window));
        let shown = got.rows.iter().map(row).collect();
        let got = got.with(shown);
        let rows: Vec<_> = rows.iter().map(|(number, row)| (*number, row)).collect();
        self.same_page(&got, &page(&rows, window), || format!("statement of {user} {currency:?} {window:?}"));
        got
    }

    pub fn check_statements(&mut self, rounds: usize) {
        let users: Vec<_> = self.exchange.directory().users().map(|(index, user)| (index, user.id)).collect();
        for (index, user) in users {
            for currency in Currency::ALL {
                let rows = matching(self.model, user, currency);
                if user != exchange::Exchange::HOUSE {
                    let balance = rows.first().map_or(Money::ZERO, |(_, (_, _, _, balance))| *balance);
                    let wallet = self.exchange.ledger().wallet(index, currency).total();
                    self.same(&balance, &wallet, || format!("the wallet of {user} in {currency:?}"));
                }
                let numbers = self.model.movements.len() as u64;
                for _ in 0..rounds {
                    let window = window(self.random, rows.len(), numbers);
                    self.compare_statement(user, currency, &rows, window);
                }
                let size = walking_size(self.random, rows.len());
                let mut window = Window::Page { page: 1, size };
                while let Some(cursor) = self.compare_statement(user, currency, &rows, window).next {
                    window = Window::After { cursor, size };
                }
            }
            self.check_notices(user);
        }
    }

    fn check_notices(&mut self, user: UserId) {
        let mut expected: Vec<&Notice> =
            self.model.notices.iter().filter(|notice| notice.user == user).collect();
        expected.reverse();
        let read = self.random.below(self.exchange.seq() as usize + 1) as u64;
        let unread = expected.iter().take(100).filter(|notice| notice.seq > read).count() as u64;
        let size = if self.random.below(2) == 0 { 1_000_000 } else { 1 + self.random.below(100) };
        // Of those that are looked at, the latest by their newest fill.
        expected.truncate(size.max(100));
        expected.sort_by_key(|notice| std::cmp::Reverse(notice.seq));
        expected.truncate(size);
        let expected: Vec<ShownNotice> =
            expected.iter().map(|notice| shown(notice.seq, notice.at, notice.what)).collect();
        let asked = self.kept.ask(self.exchange, |history| history.notices(user, read, size as u64));
        let got: Vec<ShownNotice> =
            asked.0.iter().map(|notice| shown(notice.seq, notice.at, what(&notice.subject))).collect();
        self.same(&got, &expected, || format!("{size} notices of {user}"));
        self.same(&asked.1, &unread, || format!("unread notices of {user} after {read}"));
    }
}
