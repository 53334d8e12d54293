//! Credits, debits and the version of the rules.

use exchange::Exchange;
use exchange::command::{
    Command, CreditWallet, DebitWallet, NewsNote, RecordNews, RecordPicture, RecordSkip, Request,
    UpgradeRules,
};
use exchange::id::{EventId, Hash32, NewsId, UserId};
use exchange::numbers::Money;
use exchange::text::Text;
use exchange::time::Span;

use super::{Generator, View};

impl Generator {
    pub(super) fn funds(&mut self, view: View<'_>) -> Request {
        let (user, currency) = (self.user(view), self.currency());
        let id = match self.random.below(20) {
            0 => UserId::new(12_345),
            1..=4 => Exchange::HOUSE,
            _ => view.exchange.directory().user(user).id,
        };
        let is_credit = self.random.chance(65);
        let amount = match is_credit && id == Exchange::HOUSE {
            true => Money::whole(self.random.between(1_000, 20_000) * currency.base()),
            // Mostly small amounts, so that wallets run out of money.
            false if is_credit && self.random.chance(90) => {
                Money::new(self.random.between(1, 300_000_000) * currency.base())
            }
            false => self.amount(view, user, currency),
        };
        let reference = Text::from(format!("reference {}", self.random.below(100_000)));
        let command = match is_credit {
            true => Command::CreditWallet(CreditWallet { user: id, currency, amount, reference }),
            false => Command::DebitWallet(DebitWallet { user: id, currency, amount, reference }),
        };
        match self.random.chance(25) {
            true => self.by_person(view, command),
            false => self.by_operator(view, command),
        }
    }

    pub(super) fn rules(&mut self, view: View<'_>) -> Request {
        let command = match self.random.below(10) {
            // Rules 1 do not have the command.
            0 if view.exchange.rules_version() >= 2 => match self.random.chance(50) {
                true => self.news(view),
                false => {
                    let bytes = self.random.below(2 * RecordPicture::BYTES_MAX as usize) as u32;
                    Command::RecordPicture(RecordPicture { picture: Hash32::of("a picture"), bytes })
                }
            },
            0..6 => Command::Tick,
            6 => {
                let skipped = self.random.below(view.exchange.seq() as usize * 2) as u64;
                Command::RecordSkip(RecordSkip { skipped, reason: Text::from("a drill") })
            }
            _ => {
                let version = self.random.below(Exchange::RULES_VERSION as usize + 1) as u32;
                Command::UpgradeRules(UpgradeRules { version })
            }
        };
        self.by_operator(view, command)
    }

    /// A note on any event, now and then with a fault.
    fn news(&mut self, view: View<'_>) -> Command {
        let events: Vec<EventId> = view.exchange.catalogue().events().map(|(_, event)| event.id).collect();
        let event = self.random.pick(&events).unwrap_or(EventId::new(1));
        let news = NewsId::new(self.random.below(5) as u128);
        let link =
            self.random.one_of(["https://example.org/a", "https://example.org/b", "http://example.org"]);
        let ahead = Span::seconds(self.random.below(10) as i64 - 8);
        let note = NewsNote {
            at: view.exchange.now() + ahead,
            title: Text::from("Something happened"),
            link: Text::from(link),
        };
        let note = (!self.random.chance(20)).then_some(note);
        Command::RecordNews(RecordNews { event, news, note })
    }
}
