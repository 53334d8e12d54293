//! Statements and notices of every user: amounts, running balances and sequences.

use exchange::id::UserId;
use exchange::numbers::{Currency, Money};
use exchange::time::Time;
use server::history::{NoticeSubject, Page, StoredMovement, Window};

use crate::history::model::{Model, Notified};
use crate::history::pages::{page, walking_size, window};
use crate::history::trial::Trial;

/// A row of a statement: sequence, time, amount, balance.
type Row = (u64, Time, Money, Money);
/// Sequence, time and kind.
type Notice = (u64, Time, Notified);

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

fn kind<O>(subject: &NoticeSubject<O>) -> Notified {
    match subject {
        NoticeSubject::Filled(_) => Notified::Filled,
        NoticeSubject::Made(_) => Notified::Made,
        NoticeSubject::Settled(_) => Notified::Settled,
    }
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
        let of_user = self.model.notices.iter().filter(|(of, ..)| *of == user);
        let mut expected: Vec<Notice> = of_user.map(|(_, seq, at, kind)| (*seq, *at, *kind)).collect();
        expected.reverse();
        let read = self.random.below(self.exchange.seq() as usize + 1) as u64;
        let window = Window::Page { page: 1, size: 1_000_000 };
        let (got, unread) = self.kept.ask(self.exchange, |history| history.notices(user, read, window));
        let got: Vec<Notice> =
            got.rows.iter().map(|notice| (notice.seq, notice.at, kind(&notice.subject))).collect();
        self.same(&got, &expected, || format!("notices of {user}"));
        let wanted = expected.iter().take(100).take_while(|(seq, ..)| *seq > read).count() as u64;
        self.same(&unread, &wanted, || format!("unread notices of {user} after {read}"));
    }
}
