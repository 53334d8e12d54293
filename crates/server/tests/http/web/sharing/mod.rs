//! What other sites show of an event. `tags` has link previews, `embed` the embedded page, `oembed`, `feeds` RSS and
//! iCal, `cards` the pictures.

mod cards;
mod embed;
mod feeds;
mod oembed;
mod tags;

use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{Command, OpenEvent};
use exchange::id::{EventId, MarketId};
use exchange::numbers::Currency;
use exchange::text::Text;
use exchange::time::Time;
use server::web::WebSettings;
use stage::node::Stage;
use uuid::Uuid;

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";
const VENUE: &str = "https://venue.example.org";
/// Every character with a meaning in HTML, XML or iCal, and a control character, which XML forbids.
const ODD_TITLE: &str = "\"Rain\" & </script><script>alert('₦')</script>; a,b\\c\u{8}\nend";

/// A venue with a public address.
async fn shared() -> Stage {
    let stage = Stage::open().await;
    configure(&stage, WebSettings::default());
    stage
}

fn configure(stage: &Stage, settings: WebSettings) {
    let public_url = Some(VENUE.parse().expect("an origin"));
    assert!(stage.app().web().configure(WebSettings { public_url, ..settings }));
}

/// When events close, in Unix seconds, unless a test says otherwise.
const CLOSES: i64 = 1_896_048_000;

/// Opens an event in these currencies with markets of these titles. It closes at the end of January 2030.
async fn open_event(
    stage: &Stage,
    slug: &str,
    title: &str,
    markets: &[&str],
    currencies: Vec<Currency>,
) -> Uuid {
    open_event_until(stage, slug, title, markets, currencies, CLOSES).await
}

async fn open_event_until(
    stage: &Stage,
    slug: &str,
    title: &str,
    markets: &[&str],
    currencies: Vec<Currency>,
    closes: i64,
) -> Uuid {
    let id = EventId::new(Uuid::now_v7().as_u128());
    let market = |title: &&str| NewMarket {
        id: MarketId::new(Uuid::now_v7().as_u128()),
        details: MarketDetails { title: Text::from(*title), ..MarketDetails::default() },
    };
    let kind = if markets.len() == 1 { EventKind::Single } else { EventKind::Grouped };
    let new = NewEvent {
        id,
        slug: Text::from(slug),
        kind,
        engine: Engine::Clob,
        currencies,
        details: EventDetails {
            title: Text::from(title),
            category: Text::from("weather"),
            description: Text::from("<b>Some</b> rain."),
            closing_date: Some(Time::from_seconds(closes)),
            ..EventDetails::default()
        },
        markets: markets.iter().map(market).collect(),
        link: EventLink::None,
    };
    stage.operate(Command::CreateEvent(new)).await;
    stage.operate(Command::OpenEvent(OpenEvent { event: id })).await;
    Uuid::from_u128(id.as_u128())
}

async fn open_odd(stage: &Stage) -> Uuid {
    open_event(stage, "odd", ODD_TITLE, &["odd"], vec![Currency::Usd]).await
}
