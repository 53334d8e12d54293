//! Mint and burn of complete sets.

use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, REFUSALS, unknown_id};
use crate::shapes;
use crate::world::Market;

const SECTION: &str = "Endpoints: Mint and burn";
const PLAN: &str = "mints one set for 1 USD, and burns it";
const MINT: &str = "POST /v1/pm/markets/{marketId}/mint";
const BURN: &str = "POST /v1/pm/markets/{marketId}/burn";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "sets.mint_and_burn",
        section: SECTION,
        source: Source::Specification,
        title: "One USD makes one set, and one set makes one USD.",
        endpoints: &[MINT, BURN],
        needs: Needs::Money(PLAN),
        run: mint_and_burn,
    },
    Check {
        id: "sets.prices",
        section: SECTION,
        source: Source::Specification,
        title: "A mint and a burn answer with the market's prices and do not change them.",
        endpoints: &[MINT, BURN],
        needs: Needs::Money(PLAN),
        run: prices,
    },
    Check {
        id: "sets.balances",
        section: SECTION,
        source: Source::PublicClients,
        title: "Wallet and portfolio show a mint and a burn to the unit.",
        endpoints: &[MINT, BURN, "GET /v1/pm/portfolio", "GET /v1/wallet/assets"],
        needs: Needs::Money(PLAN),
        run: balances,
    },
    Check {
        id: "sets.refusals",
        section: SECTION,
        source: Source::Specification,
        title: "A mint or burn of nothing, of less than nothing, or without a quantity is refused.",
        endpoints: &[MINT, BURN],
        needs: Needs::Money("sends malformed mints of 1 USD, which must be refused, until one is accepted"),
        run: refusals,
    },
    Check {
        id: "sets.unknown",
        section: SECTION,
        source: Source::Specification,
        title: "A mint or burn in an unknown market is refused.",
        endpoints: &[MINT, BURN],
        needs: Needs::Key,
        run: unknown,
    },
];

/// The free shares of an outcome in USD.
fn shares(portfolio: &Json, outcome: &str) -> Decimal {
    let rows = portfolio.list("outcomeBalances").iter();
    let own =
        rows.filter(|row| row.text("outcomeId") == Some(outcome) && row.text("currency") == Some("USD"));
    own.filter_map(|row| row.decimal("availableBalance")).next().unwrap_or_default()
}

fn mint_and_burn(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let minted = probe.mint(false, market, Decimal::ONE)?;
    probe.shape(&minted, &shapes::MINTED);
    probe.number_is(&minted.request, minted.value(), "quantity", Decimal::ONE);
    probe.text_is(&minted.request, minted.value(), "marketId", &market.id);
    let burned = probe.burn(false, market, Decimal::ONE)?;
    probe.shape(&burned, &shapes::BURNED);
    probe.number_is(&burned.request, burned.value(), "quantity", Decimal::ONE);
    probe.number_is(&burned.request, burned.value(), "proceeds", Decimal::ONE);
    Ok(())
}

/// The two prices of a market in an answer.
fn pair(value: &Json) -> [Option<Decimal>; 2] {
    ["outcome1Price", "outcome2Price"].map(|name| value.decimal(name))
}

/// The two prices of a market now.
fn market_prices(probe: &Probe<'_>, market: &Market) -> Result<[Option<Decimal>; 2], Stop> {
    let event = probe.get(&format!("/v1/pm/events/{}", market.event))?;
    let mut own =
        event.value().list("markets").iter().filter(|row| row.text("id") == Some(market.id.as_str()));
    match own.next().map(pair) {
        Some(prices @ [Some(_), Some(_)]) => Ok(prices),
        _ => Err(Stop::not_tried("the market's prices cannot be read")),
    }
}

fn prices(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let before = market_prices(probe, market)?;
    let minted = probe.mint(false, market, Decimal::ONE)?;
    let between = market_prices(probe, market)?;
    let burned = probe.burn(false, market, Decimal::ONE)?;
    if market_prices(probe, market)? != before {
        return Err(Stop::not_tried("the market's prices moved during the check"));
    }
    for (what, seen) in [
        ("prices in the answer to the mint", pair(minted.value())),
        ("prices of the market after the mint", between),
        ("prices in the answer to the burn", pair(burned.value())),
    ] {
        probe.expect(seen == before, what, format!("{before:?}"), format!("{seen:?}"));
    }
    Ok(())
}

fn balances(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let portfolio = "/v1/pm/portfolio?size=100";
    let (before, held) = (probe.balance()?, probe.read(portfolio)?);
    probe.mint(false, market, Decimal::ONE)?;
    let (between, now_held) = (probe.balance()?, probe.read(portfolio)?);
    probe.burn(false, market, Decimal::ONE)?;
    probe.succeeded(&now_held, &shapes::PORTFOLIO)?;
    for outcome in &market.outcomes {
        let gained = shares(now_held.value(), outcome) - shares(held.value(), outcome);
        let what = format!("shares of {outcome} after the mint");
        probe.expect(gained == Decimal::ONE, what, "1 more", gained.to_string());
    }
    let paid = before - between;
    probe.expect(paid == Decimal::ONE, "money paid for the mint", "1", paid.to_string());
    let after = probe.balance()?;
    probe.expect(after == before, "the balance after the burn", before.to_string(), after.to_string());
    Ok(())
}

fn refusals(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    probe.bind(Decimal::ONE)?;
    for operation in ["mint", "burn"] {
        for body in [json!({}), json!({"quantity": 0}), json!({"quantity": -1})] {
            let path = format!("/v1/pm/markets/{}/{operation}", market.id);
            let mut answer = probe.write("POST", &path, &body)?;
            answer.request = format!("{} with {body}", answer.request);
            probe.refused(&answer, REFUSALS, None);
            if answer.is_success() {
                if operation == "mint" {
                    let minted = answer.value().decimal("quantity").unwrap_or(Decimal::ONE);
                    probe.ledger.minted(&market.id, minted, false);
                }
                // A further one could spend more than is bound.
                return Ok(());
            }
        }
    }
    probe.release(Decimal::ONE);
    Ok(())
}

fn unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for operation in ["mint", "burn"] {
        let path = format!("/v1/pm/markets/{}/{operation}", unknown_id());
        let answer = probe.write("POST", &path, &json!({"quantity": 1}))?;
        probe.refused(&answer, REFUSALS, None);
    }
    Ok(())
}
