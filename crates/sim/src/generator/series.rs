//! Series and their prices: fresh, stale, exactly at a boundary, and from the future.

use exchange::catalogue::{
    AssetPrice, Automation, Engine, Interval, MarketDetails, NewSeries, SeriesCategory,
};
use exchange::command::{Command, PauseSeries, RecordPrice, Request};
use exchange::id::SeriesId;
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency};
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::{Generator, View};

const SYMBOLS: [&str; 2] = ["BTC", "EUR"];
const SOURCES: [&str; 2] = ["feed", "other"];
/// One of them is a name that no source may have.
const SAID_SOURCES: [&str; 8] = ["feed", "feed", "feed", "feed", "other", "other", "third", "push:feed"];
/// Prices are 60,000 to 60,006: some pairs are within the tolerance, some exactly at it, some beyond.
const TOLERANCE_PPM: u32 = 50;

impl Generator {
    /// A series that a log at these rules can have.
    pub(super) fn new_series(&mut self, rules: u32) -> Command {
        let id = SeriesId::new(self.fresh_id());
        let text = Text::from;
        let named = self.random.one_of([0, 0, 1, 2]);
        let mut sources: Vec<Text> = SOURCES[..named].iter().copied().map(Text::from).collect();
        for source in &mut sources {
            if self.random.chance(50) {
                *source = Text::from(format!("push:{source}"));
            }
        }
        Command::CreateSeries(NewSeries {
            id,
            slug: Text::from(format!("series-{}", self.ids)),
            display_name: text("Bitcoin"),
            description: text(""),
            category: SeriesCategory::Crypto,
            interval: self.random.one_of([
                if rules >= 3 { Interval::FiveMinute } else { Interval::FifteenMinute },
                Interval::FifteenMinute,
                Interval::Hourly,
                Interval::Daily,
            ]),
            asset_symbol: text(self.random.one_of(SYMBOLS)),
            automation: Automation::PriceUpDown,
            icon_url: text(""),
            engine: self.random.one_of([Engine::Amm, Engine::Clob]),
            currencies: if self.random.chance(50) { Currency::ALL.to_vec() } else { vec![Currency::Usd] },
            market: MarketDetails {
                fee_rate: FeeRate::new(200).unwrap_or_default(),
                ..MarketDetails::default()
            },
            seed: PerCurrency { usd: Money::whole(100), ngn: Money::whole(10_000) },
            tolerance_ppm: if sources.len() == 2 { TOLERANCE_PPM } else { 0 },
            sources,
        })
    }

    pub(super) fn series(&mut self, view: View<'_>) -> Request {
        let ids: Vec<_> = view.exchange.catalogue().series().map(|series| series.terms.id).collect();
        let command = match ids.len() < 2 && self.random.chance(50) {
            true => self.new_series(view.exchange.rules_version()),
            false => {
                let series = self.random.pick(&ids).unwrap_or(SeriesId::new(3));
                Command::PauseSeries(PauseSeries { series, paused: self.random.chance(35) })
            }
        };
        self.by_operator(view, command)
    }

    /// A price from a source.
    pub(super) fn price_of(&mut self, symbol: &Text, source: &str, source_time: Time) -> Command {
        Command::RecordPrice(RecordPrice {
            symbol: symbol.clone(),
            value: AssetPrice(self.random.between(0, 6) * 1_000_000 + 60_000_000_000),
            source: Text::from(source),
            source_time,
        })
    }

    /// Often just before the next boundary of a series; the boundary itself is reached by time.
    pub(super) fn price(&mut self, view: View<'_>) -> (Time, Request) {
        let next = view.exchange.catalogue().series().map(|series| series.next_start).min();
        let boundary = next.filter(|next| *next - view.now < Span::hours(2));
        let ahead = match self.random.below(6) {
            0..=2 => Span::seconds(0),
            3 => Span::seconds(59),
            _ => Span::seconds(self.random.between(1, 70)),
        };
        let at = match boundary {
            Some(boundary) if self.random.chance(70) => (boundary - ahead).max(view.now),
            _ => view.now,
        };
        let source_time = match self.random.below(10) {
            0 => at - Span::seconds(60),
            1 => at + Span::seconds(self.random.between(1, 61)),
            _ => at - Span::seconds(self.random.between(0, 3)),
        };
        let symbol = Text::from(self.random.one_of(SYMBOLS));
        let source = self.random.one_of(SAID_SOURCES);
        let command = self.price_of(&symbol, source, source_time);
        (
            at,
            if self.random.chance(45) {
                self.by_person(view, command)
            } else {
                self.by_operator(view, command)
            },
        )
    }
}
