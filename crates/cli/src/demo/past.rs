//! A past for a new demo: the same people and bots on a node whose clock runs through the last days in seconds, so that
//! charts have data. Apart from the clock everything is real, including the journal.

use std::error::Error;
use std::sync::Arc;

use exchange::Request;
use exchange::catalogue::AssetPrice;
use exchange::command::{CloseTrading, Command, Finalise, Propose, RecordPrice, Target};
use exchange::governance::{Evidence, Ruling, Subject, Verdict};
use exchange::id::{EventId, MarketId, ProposalId};
use exchange::identity::Actor;
use exchange::numbers::Cents;
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::{Span, Time};
use fastrand::Rng;
use server::admin::access::ensure_first_operator;
use server::app::App;
use server::identifiers::id_at;
use server::pipeline::clock::{Clock, ManualClock};

use super::bots::Bot;
use super::linked::SERIES;
use super::people::{Person, WITHOUT_BOT};
use super::samples::{ENDED, Ending, Sample};
use super::stage::{self, StageError, submit};
use crate::progress::Progress;
use crate::settings::Settings;

/// Interval between asset prices; it divides every interval of a series.
pub(super) const STEP: Span = Span::minutes(5);
/// How long before a step's start its price is recorded.
const PRICED_BEFORE: Span = Span::seconds(15);
/// When bots act within a step, in seconds after its start.
const MOMENTS: [i64; 3] = [12, 110, 215];
/// Requests of each bot at such a moment.
const ACTS: usize = 3;
/// The largest step of an asset price, in millionths.
const WALK_PPM: i64 = 1_200;
/// Ended samples end this long before the present.
const ENDED_BEFORE: Span = Span::days(1);

pub(super) struct Past {
    app: Arc<App>,
    clock: Arc<ManualClock>,
    rng: Rng,
}

impl Past {
    pub(super) fn new(app: Arc<App>, clock: Arc<ManualClock>) -> Past {
        Past { app, clock, rng: Rng::with_seed(11) }
    }

    /// Simulates the time from `start` to `end`.
    pub(super) fn live(mut self, settings: &Settings, start: Time, end: Time) -> Result<(), Box<dyn Error>> {
        ensure_first_operator(&self.app, &settings.operator_token_file)?;
        let people = stage::build(&self.app)?;
        for (sample, _, _) in ENDED {
            stage::event(&self.app, sample, &people)?;
        }
        let mut bots: Vec<(Person, Bot)> = people
            .iter()
            .skip(WITHOUT_BOT)
            .map(|person| (person.clone(), Bot::new(self.rng.u64(..))))
            .collect();
        let end_at = end - ENDED_BEFORE;
        let mut progress = Progress::named("living through the past");
        let mut have_ended = false;
        let mut at = start;
        while at <= end {
            progress.report(hours(at - start), hours(end - start));
            // Just before intervals end; the first command after that fires their timers.
            self.set(at - PRICED_BEFORE);
            let prices = SERIES.iter().map(|sample| sample.symbol).collect();
            self.send(self.prices(prices))?;
            self.set(at + Span::MICROSECOND);
            submit(&self.app, Actor::System, "a tick", Command::Tick)?;
            if at >= end_at && !have_ended {
                have_ended = true;
                for (sample, ending, evidence) in ENDED {
                    self.end(sample, ending, evidence)?;
                }
            }
            for moment in MOMENTS {
                let late = self.rng.i64(0..60);
                let moment = at + Span::seconds(moment + late);
                // Not after the end.
                if moment <= end {
                    self.set(moment);
                    self.send(self.acts(&mut bots))?;
                }
            }
            at = at + STEP;
        }
        // The last step may be a few minutes before the present.
        Ok(())
    }

    fn set(&self, at: Time) {
        self.clock.advance_micros((at.micros() - self.clock.now()).max(0));
    }

    /// Submits all requests at once, so that they share a frame. Refusals are expected.
    fn send(&self, requests: Vec<Request>) -> Result<(), StageError> {
        for answer in self.app.writing().sequencer().submit_all_blocking(requests)? {
            if let Err(reject) = answer.result {
                tracing::debug!(?reject, "a bot of the past was refused");
            }
        }
        Ok(())
    }

    fn acts(&self, bots: &mut [(Person, Bot)]) -> Vec<Request> {
        let mut requests = Vec::new();
        let exchange = self.app.reading().state();
        for (person, bot) in bots {
            let commands = (0..ACTS).filter_map(|_| bot.choose(&exchange, person.user));
            let request = |command| Request { actor: person.actor(), idempotency: None, command };
            requests.extend(commands.map(request));
        }
        requests
    }

    /// One price per asset, even if several series use it.
    fn prices(&self, mut symbols: Vec<&'static str>) -> Vec<Request> {
        symbols.sort_unstable();
        symbols.dedup();
        let price = |symbol| {
            let command = Command::RecordPrice(RecordPrice {
                symbol: Text::from(symbol),
                value: self.next_price(symbol),
                source: Text::from("demo"),
                source_time: Time::from_micros(self.clock.now()),
            });
            Request { actor: Actor::System, idempotency: None, command }
        };
        symbols.into_iter().map(price).collect()
    }

    fn next_price(&self, symbol: &str) -> AssetPrice {
        let first =
            SERIES.iter().find(|sample| sample.symbol == symbol).map_or(1_000_000, |sample| sample.price);
        let exchange = self.app.reading().state();
        let last = exchange.catalogue().assets().get(&Text::from(symbol)).and_then(|samples| samples.last());
        let last = last.map_or(first, |last| last.value.0);
        // A random walk seeded by the state, so it needs no state of its own.
        let mut rng = Rng::with_seed(exchange.seq() ^ last.unsigned_abs());
        let step = last / 1_000 * rng.i64(-WALK_PPM..=WALK_PPM) / 1_000;
        AssetPrice((last + step).clamp(first / 2, first * 2))
    }

    /// Closes and ends an event as an operator would: proposes a verdict with evidence, then finalises it.
    fn end(&self, sample: &Sample, ending: &Ending, evidence: &str) -> Result<(), StageError> {
        let (event, markets) = self.find(sample)?;
        let operator = {
            let exchange = self.app.reading().state();
            let operator = exchange.directory().operators().next().map(|operator| operator.id);
            operator.ok_or(StageError::Missing("an operator"))?
        };
        let actor = Actor::Operator { operator };
        submit(
            &self.app,
            actor,
            "a close",
            Command::CloseTrading(CloseTrading { target: Target::Event(event) }),
        )?;
        let verdict = match ending {
            Ending::Winner(winner) => {
                let outcome = |place| if Some(place) == *winner { Outcome::Yes } else { Outcome::No };
                let rulings = markets.into_iter().enumerate();
                let ruling = |(place, market)| Ruling { market, outcome: outcome(place) };
                Verdict::Outcomes(rulings.map(ruling).collect())
            }
            Ending::CalledOff(cents) => Verdict::Cancelled { yes: Cents::new(*cents).unwrap_or(Cents::HALF) },
        };
        let id = ProposalId::new(id_at(self.clock.now()).as_u128());
        let propose = Command::Propose(Propose {
            id,
            subject: Subject::Resolution { event, verdict },
            evidence: Evidence { text: Text::from(evidence), link: Text::default() },
        });
        submit(&self.app, actor, "a proposal", propose)?;
        submit(&self.app, actor, "a resolution", Command::Finalise(Finalise { proposal: id }))?;
        Ok(())
    }

    fn find(&self, sample: &Sample) -> Result<(EventId, Vec<MarketId>), StageError> {
        let exchange = self.app.reading().state();
        let catalogue = exchange.catalogue();
        let index = catalogue.find_event_by_slug(sample.slug).ok_or(StageError::Missing("an event"))?;
        let event = catalogue.event(index);
        Ok((event.id, event.markets.iter().map(|market| catalogue.market(*market).id).collect()))
    }
}

fn hours(span: Span) -> u64 {
    span.micros().unsigned_abs() / Span::hours(1).micros().unsigned_abs()
}
