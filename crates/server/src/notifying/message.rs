//! The content of a push message: a title, a line, an address on the page and a tag. A message replaces older ones with
//! its tag. `web/public/sw.js` shows it.

use api::json::{self, WriteJson};
use exchange::Exchange;
use exchange::numbers::{Currency, Money, Ppm};
use exchange::order::{Outcome, Side};

use super::gathering::Told;
use super::tap::NoticeSubject;
use crate::view::order::find_event_and_market;
use crate::view::words::ToApi;

#[derive(WriteJson)]
struct Content {
    title: String,
    body: String,
    url: String,
    tag: String,
}

/// The message about notices of one person and kind. `None` if the market left memory.
pub(super) fn message(exchange: &Exchange, Told { first, more }: &Told) -> Option<Vec<u8>> {
    let (event, market) = find_event_and_market(exchange, first.market)?;
    let label = |outcome: Outcome| match outcome {
        Outcome::Yes => shown_label(&market.details.yes_label, "Yes"),
        Outcome::No => shown_label(&market.details.no_label, "No"),
    };
    let title = match first.subject {
        NoticeSubject::Fill { side, outcome, shares, price } => {
            let verb = if side == Side::Buy { "Bought" } else { "Sold" };
            let price = shown_price(price, first.currency);
            format!("{verb} {} {} at {price}", shares.to_api(), label(outcome))
        }
        NoticeSubject::Result { paid, is_refund: true } => {
            format!("Refunded {}", shown_money(paid, first.currency))
        }
        NoticeSubject::Result { paid, .. } if paid > Money::ZERO => {
            format!("Won {}", shown_money(paid, first.currency))
        }
        NoticeSubject::Result { .. } => "Resolved: your shares paid nothing".to_owned(),
        NoticeSubject::Alert { outcome, price } => {
            format!("{} is at {}", label(outcome), shown_price(price, first.currency))
        }
    };
    let title = match more {
        0 => title,
        more => format!("{title}, and {more} more"),
    };
    let content = Content {
        title,
        body: event.details.title.to_string(),
        url: format!("/events/{}?market={}", event.id, market.id),
        tag: format!("{}-{}", first.subject.kind() as u8, first.seq),
    };
    Some(json::to_vec(&content))
}

/// YES and NO are spelt as words, as on the page.
fn shown_label(label: &str, plain: &str) -> String {
    if label.is_empty() || label.eq_ignore_ascii_case(plain) { plain.to_owned() } else { label.to_owned() }
}

fn shown_money(money: Money, currency: Currency) -> String {
    let symbol = match currency {
        Currency::Usd => "$",
        Currency::Ngn => "₦",
    };
    let hundredths = money.units() / 10_000;
    format!("{symbol}{}.{:02}", hundredths / 100, hundredths % 100)
}

/// In cents, or in naira of 100 per share.
fn shown_price(price: Ppm, currency: Currency) -> String {
    let tenths = (price.units() + 500) / 1_000;
    let number = match tenths % 10 {
        0 => (tenths / 10).to_string(),
        rest => format!("{}.{rest}", tenths / 10),
    };
    match currency {
        Currency::Usd => format!("{number}¢"),
        Currency::Ngn => format!("₦{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_and_prices_look_as_on_the_page() {
        assert_eq!(shown_money(Money::new(12_345_678), Currency::Usd), "$12.34");
        assert_eq!(shown_price(Ppm::new(600_000), Currency::Usd), "60¢");
        assert_eq!(shown_price(Ppm::new(435_000), Currency::Ngn), "₦43.5");
    }
}
