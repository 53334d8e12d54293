//! Card images at `/cards/SLUG.png`: title, prices and a sparkline of the last week, for link previews.
//!
//! `picture` writes the SVG and `rendering` turns it into a PNG on one low-priority thread. An event is drawn at most once
//! a minute, however many clients ask: they wait for the same picture. The cache is bounded, and a picture younger than a
//! minute is never dropped, so the number of renderings per minute has the same bound.

mod picture;
mod rendering;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use api::error::ErrorBody;
use api::query::PriceHistoryQuery;
use api::terms::{HistoryPeriod, OutcomeSide};
use axum::extract::{Path, State};
use bytes::Bytes;
use exchange::id::EventId;
use exchange::numbers::Ppm;
use exchange::time::Time;
use http::HeaderMap;
use parking_lot::Mutex;
use tokio::sync::watch;

use super::addresses::Addresses;
use super::{event_not_found, find, index_of, no_public_url, retired_name};
use crate::app::App;
use crate::edge::meter;
use crate::http::caching::{Freshness, ok_bytes_tagged};
use crate::http::{Answered, Failure};
use crate::reading::history_failure;
use crate::view;
use crate::view::shared_event::SharedEvent;
use crate::view::words::ToApi;
use rendering::Renderer;

/// Pictures in the cache, and so the most that are drawn in a minute. One has about 40 KB.
pub const CARDS_MAX: usize = 200;
const MINUTE_MICROS: i64 = 60_000_000;

/// A new picture is charged like a list of so many rows. It reads the hours of a week, and drawing it takes a few tens of
/// milliseconds.
pub const CARD_ROWS: usize = 250;

/// The cache, and the thread that draws.
#[derive(Debug, Default)]
pub(in crate::web) struct Cards {
    kept: Mutex<BTreeMap<EventId, Slot>>,
    /// Started with the first card.
    renderer: OnceLock<Option<Renderer>>,
}

/// The picture of an event.
#[derive(Debug)]
struct Slot {
    begun_at: i64,
    progress: watch::Receiver<Progress>,
}

#[derive(Clone, Debug)]
enum Progress {
    Drawing,
    Ready(Bytes),
    /// Counts as the minute's picture too: a title that cannot be drawn must not be drawn again and again.
    Failed,
}

enum Claim {
    /// Another request draws or has drawn it.
    Known(watch::Receiver<Progress>),
    /// The caller must draw it.
    New(watch::Sender<Progress>, watch::Receiver<Progress>),
}

impl Cards {
    /// The picture of this minute, ready or in progress.
    fn find(&self, event: EventId, now: i64) -> Option<watch::Receiver<Progress>> {
        let kept = self.kept.lock();
        kept.get(&event).filter(|slot| !slot.is_old(now)).map(|slot| slot.progress.clone())
    }

    /// Reserves the minute's rendering of an event. Refuses if the cache is full of pictures that are still valid.
    fn claim(&self, event: EventId, now: i64) -> Result<Claim, Failure> {
        let mut kept = self.kept.lock();
        if let Some(slot) = kept.get(&event).filter(|slot| !slot.is_old(now)) {
            return Ok(Claim::Known(slot.progress.clone()));
        }
        kept.remove(&event);
        if kept.len() >= CARDS_MAX {
            let oldest = kept.iter().min_by_key(|(_, slot)| slot.begun_at).map(|(event, _)| *event);
            let oldest = oldest.filter(|event| kept.get(event).is_some_and(|slot| slot.is_old(now)));
            let Some(oldest) = oldest else { return Err(too_many()) };
            kept.remove(&oldest);
        }
        let (sender, progress) = watch::channel(Progress::Drawing);
        kept.insert(event, Slot { begun_at: now, progress: progress.clone() });
        Ok(Claim::New(sender, progress))
    }

    async fn render(&self, svg: String) -> Option<Bytes> {
        // Each event has at most one picture in the queue, so that the queue is never longer than the cache.
        let renderer = self.renderer.get_or_init(|| Renderer::start(CARDS_MAX));
        renderer.as_ref()?.render(svg).await
    }
}

impl Slot {
    const fn is_old(&self, now: i64) -> bool {
        now - self.begun_at >= MINUTE_MICROS
    }
}

fn too_many() -> Failure {
    ErrorBody::unavailable("Too many card images are drawn right now", 60).into()
}

fn not_drawn() -> Failure {
    ErrorBody::unavailable("The card image could not be drawn", 60).into()
}

pub(super) async fn card(
    State(app): State<Arc<App>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Answered {
    if Addresses::of(&app).is_none() {
        return Err(no_public_url());
    }
    let slug = file.strip_suffix(".png").ok_or_else(event_not_found)?;
    let event = find(&app, slug).await?.ok_or_else(event_not_found)?;
    let mut progress = match app.web().cards().find(event.id, app.now_micros()) {
        Some(progress) => progress,
        None => {
            if let Some(meter) = meter::current() {
                meter.charge_rows(CARD_ROWS)?;
            }
            begin(&app, event)?
        }
    };
    let drawn = match progress.wait_for(|progress| !matches!(progress, Progress::Drawing)).await {
        Ok(done) => done.clone(),
        // The task that drew it was dropped with the runtime.
        Err(_) => Progress::Failed,
    };
    match drawn {
        Progress::Ready(png) => ok_bytes_tagged(&headers, Freshness::Minute, "image/png", png),
        Progress::Drawing | Progress::Failed => Err(not_drawn()),
    }
}

/// Draws the picture in a task of its own: it is the minute's picture even if its client goes away.
fn begin(app: &Arc<App>, event: SharedEvent) -> Result<watch::Receiver<Progress>, Failure> {
    match app.web().cards().claim(event.id, app.now_micros())? {
        Claim::Known(progress) => Ok(progress),
        Claim::New(sender, progress) => {
            let app = app.clone();
            tokio::spawn(async move {
                let png = draw(&app, &event).await;
                sender.send_replace(png.map_or(Progress::Failed, Progress::Ready));
            });
            Ok(progress)
        }
    }
}

async fn draw(app: &App, event: &SharedEvent) -> Option<Bytes> {
    // A card without a line is better than none: history may be behind for a moment.
    let prices = week(app, event).await.unwrap_or_default();
    app.web().cards().render(picture::picture(event, &prices)).await
}

/// The prices of the leading outcome in the last week, oldest first.
async fn week(app: &App, event: &SharedEvent) -> Result<Vec<(Time, Ppm)>, Failure> {
    let query = PriceHistoryQuery {
        time_period: HistoryPeriod::OneWeek,
        market_id: event.leading.into_iter().map(ToApi::to_api).collect(),
        outcome: Some(OutcomeSide::Yes),
        currency: event.currency.to_api(),
    };
    let plan = {
        let known = app.reading().with_retired(vec![retired_name(&event.slug)]).await?;
        let found = known.first(|exchange| index_of(exchange, &event.slug));
        found.and_then(|(exchange, index)| view::price_history::plan(exchange, index, &query, app.now()))
    };
    let Some(plan) = plan else { return Ok(Vec::new()) };
    let history = app.reading().history_now().await?;
    let found = history.candles(plan.ranges.clone()).await.map_err(history_failure)?;
    Ok(plan.first_prices(&found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_new(claim: Result<Claim, Failure>) -> bool {
        matches!(claim.expect("room"), Claim::New(..))
    }

    #[test]
    fn an_event_is_drawn_once_a_minute() {
        let (cards, event) = (Cards::default(), EventId::new(1));
        assert!(cards.find(event, 0).is_none());
        assert!(is_new(cards.claim(event, 0)));
        for now in [0, 1, MINUTE_MICROS - 1] {
            assert!(cards.find(event, now).is_some());
            assert!(!is_new(cards.claim(event, now)), "{now}");
        }
        assert!(cards.find(event, MINUTE_MICROS).is_none());
        assert!(is_new(cards.claim(event, MINUTE_MICROS)));
        assert!(!is_new(cards.claim(event, MINUTE_MICROS)));
    }

    #[test]
    fn the_cache_is_bounded_and_so_are_the_renderings_of_a_minute() {
        let cards = Cards::default();
        let last = CARDS_MAX as u128;
        for event in 0..last {
            assert!(is_new(cards.claim(EventId::new(event), event as i64)));
        }
        let refused = cards.claim(EventId::new(last), MINUTE_MICROS - 1).err().expect("a refusal");
        assert_eq!((refused.body.status_code, refused.body.retry_after), (503, Some(60)));
        assert!(!is_new(cards.claim(EventId::new(3), MINUTE_MICROS - 1)), "a picture in the cache is served");
        // The oldest is a minute old: it makes room for one.
        assert!(is_new(cards.claim(EventId::new(last), MINUTE_MICROS)));
        assert!(cards.claim(EventId::new(0), MINUTE_MICROS).is_err());
        assert_eq!(cards.kept.lock().len(), CARDS_MAX);
    }

    #[tokio::test]
    async fn a_picture_is_a_png_of_the_announced_size_and_the_font_has_the_naira() {
        let cards = Cards::default();
        let svg = |text: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"630\">\
                 <text x=\"50\" y=\"300\" font-family=\"DejaVu Sans\" font-weight=\"bold\" font-size=\"200\">\
                 {text}</text></svg>"
            )
        };
        let png = cards.render(svg("₦")).await.expect("a picture");
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        assert_eq!((number(16), number(20)), crate::web::sharing::tags::CARD_SIZE);
        // A private-use character and an unassigned one have the same picture: the box of a missing glyph.
        let missing = cards.render(svg("\u{e0ff}")).await.expect("a picture");
        assert_eq!(cards.render(svg("\u{e0fe}")).await.as_ref(), Some(&missing));
        let nothing = cards.render(svg("")).await.expect("a picture");
        assert!(png != missing && png != nothing);
        assert_eq!(cards.render("<svg".to_owned()).await, None, "what is no SVG is no picture");
        assert!(cards.render(svg("a")).await.is_some(), "the thread goes on");
    }
}
