//! Events, their texts, terms, pools, news and pictures.

use exchange::catalogue::{Engine, MarketDetails, NewEvent};
use exchange::command::{
    ChangeTerms, Command, EditEvent, GrowPool, MarketEdit, NewsNote, PriceRange, RecordNews, RecordPicture,
    SeedPool, SetMarketTerms,
};
use exchange::id::{Hash32, NewsId};
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency, Ppm, Price};
use exchange::text::Text;

use super::{ADA, Form, SYSTEM};
use crate::ids::{self, Kind};
use crate::world::{Sizes, new_event};

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    [events(sizes), terms(), pools(), notes(sizes)].into_iter().flatten().collect()
}

/// The longest texts, in every market.
fn longest(kind: Kind, sizes: &Sizes) -> NewEvent {
    let rules = Text::from("r".repeat(10_000));
    let mut new = new_event(kind, 0, sizes.markets, Engine::Clob);
    new.details.description = Text::from("d".repeat(10_000));
    for market in &mut new.markets {
        market.details.rules = rules.clone();
    }
    new
}

fn edit(kind: Kind, sizes: &Sizes) -> EditEvent {
    let new = longest(kind, sizes);
    let edited = new.markets.into_iter().map(|new| MarketEdit { market: new.id, details: new.details });
    EditEvent { event: new.id, details: new.details, markets: edited.collect(), over: None }
}

fn events(sizes: &Sizes) -> Vec<Form> {
    let taken = NewEvent { slug: Text::from("deep-0"), ..longest(Kind::Fresh, sizes) };
    let stale = EditEvent { over: Some(7), ..edit(Kind::Draft, sizes) };
    vec![
        Form::plain("100 markets, longest texts", ADA, Command::CreateEvent(longest(Kind::Fresh, sizes))),
        Form::refused("100 markets, slug taken", ADA, Command::CreateEvent(taken)),
        Form::plain("100 markets, longest texts", ADA, Command::EditEvent(edit(Kind::Draft, sizes))),
        Form::refused("100 markets, edited meanwhile", ADA, Command::EditEvent(stale)),
        Form::refused("100 markets, not a draft", ADA, Command::EditEvent(edit(Kind::Cup, sizes))),
    ]
}

fn terms() -> Vec<Form> {
    let market = ids::market(Kind::Deep, 0, 0);
    let change = |fee| {
        let order_min = PerCurrency { usd: None, ngn: None };
        Command::ChangeTerms(ChangeTerms { market, fee_rate: FeeRate::new(fee), order_min })
    };
    let set = |fee| {
        let MarketDetails { order_min, .. } = MarketDetails::default();
        let fee_rate = FeeRate::new(fee).expect("a rate");
        Command::SetMarketTerms(SetMarketTerms { market, fee_rate, order_min })
    };
    vec![
        Form::plain("a raise is announced", SYSTEM, change(300)),
        Form::refused("by one of two persons", ADA, change(300)),
        Form::plain("a lower fee applies at once", SYSTEM, set(100)),
        Form::refused("by one of two persons", ADA, set(100)),
    ]
}

fn pools() -> Vec<Form> {
    let grow = |amount, low| {
        let (low, high) = (Ppm::new(low), Ppm::new(999_999));
        Command::GrowPool(GrowPool {
            market: ids::market(Kind::Pool, 0, 0),
            currency: Currency::Usd,
            amount: Money::whole(amount),
            between: Some(PriceRange { low, high }),
        })
    };
    let seed = |amount| {
        Command::SeedPool(SeedPool {
            market: ids::market(Kind::Draft, 1, 0),
            currency: Currency::Usd,
            amount: Money::whole(amount),
            price: Price::clamp(50),
        })
    };
    vec![
        Form::plain("within the caps", ADA, seed(500)),
        Form::refused("above the caps", ADA, seed(100_000_000)),
        Form::plain("within the caps", ADA, grow(500, 1)),
        Form::refused("another price", ADA, grow(500, 999_000)),
    ]
}

fn notes(sizes: &Sizes) -> Vec<Form> {
    let news = |event| {
        let note = NewsNote {
            at: sizes.morning(),
            title: Text::from("Clouds gather"),
            link: Text::from("https://example.com/clouds"),
        };
        Command::RecordNews(RecordNews { event, news: NewsId::new(1), note: Some(note) })
    };
    let picture = |bytes| Command::RecordPicture(RecordPicture { picture: Hash32::of("a ferry"), bytes });
    vec![
        Form::plain("an event of 100 markets", ADA, news(ids::event(Kind::Cup, 0))),
        Form::refused("a draft", ADA, news(ids::event(Kind::Draft, 0))),
        Form::plain("one", ADA, picture(48_213)),
        Form::refused("empty", ADA, picture(0)),
    ]
}
