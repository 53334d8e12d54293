//! The first start: the sample events, the series, the house's money, and the counterparty of `fill` and `price`. A relived
//! journal gets the counterparty with the first request for it.

use exchange::command::{Command, OpenEvent, SeedPool};
use exchange::id::UserId;
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money, Price};
use server::view::words::ToApi;

use crate::error::Refusal;
use crate::samples::{self, SAMPLES};
use crate::venue::Venue;

/// The tag of the virtual user who trades for requests to the sandbox.
const COUNTERPARTY: &str = "counterparty";
/// Its tag in a relived journal, whose users may have the other one.
const COUNTERPARTY_OF_PAST: &str = "sandbox_counterparty";

const HOUSE: UserId = UserId::new(0);
/// In USD; a naira wallet gets a hundred times as much, because a share pays 100 NGN.
const MONEY_OF_THE_HOUSE: i64 = 1_000_000;
const MONEY_OF_THE_COUNTERPARTY: i64 = 10_000_000;
const POOL: i64 = 10_000;

impl Venue {
    /// The counterparty, who is made when first needed.
    pub(crate) fn counterparty(&mut self) -> Result<UserId, Refusal> {
        if let Some(user) = self.record.counterparty {
            return Ok(UserId::new(user.as_u128()));
        }
        let tag = if self.fixed.is_past { COUNTERPARTY_OF_PAST } else { COUNTERPARTY };
        let user = self.add_user(tag, None)?.id;
        for currency in Currency::ALL {
            let money = Money::whole(MONEY_OF_THE_COUNTERPARTY * currency.base());
            self.credit(Actor::System, user, currency, money)?;
        }
        self.record.counterparty = Some(user.to_api());
        Ok(user)
    }
}

/// Builds the venue of an empty folder.
pub(crate) fn build(venue: &mut Venue) -> Result<(), Refusal> {
    venue.counterparty()?;
    for currency in Currency::ALL {
        let money = Money::whole(MONEY_OF_THE_HOUSE * currency.base());
        venue.credit(Actor::System, HOUSE, currency, money)?;
    }
    let now = venue.fixed.clock.time();
    for sample in SAMPLES {
        let event = sample.event(now);
        let (id, markets) = (event.id, event.markets.iter().map(|market| market.id).collect::<Vec<_>>());
        venue.submit(Actor::System, Command::CreateEvent(event))?;
        for (market, (_, cents)) in markets.into_iter().zip(sample.markets).filter(|_| sample.is_pool()) {
            for currency in Currency::ALL {
                let (amount, price) = (Money::whole(POOL * currency.base()), Price::clamp(i64::from(*cents)));
                let seed = SeedPool { market, currency, amount, price };
                venue.submit(Actor::System, Command::SeedPool(seed))?;
            }
        }
        venue.submit(Actor::System, Command::OpenEvent(OpenEvent { event: id }))?;
    }
    venue.submit(Actor::System, Command::CreateSeries(samples::series()))?;
    Ok(())
}
