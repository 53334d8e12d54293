//! Mint and burn of complete sets.

use serde_json::json;

use crate::check::{Check, Needs, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, unknown_id};
use crate::shapes;

const SECTION: &str = "Endpoints: Mint and burn";
const MINT: &str = "POST /v1/pm/markets/{marketId}/mint";
const BURN: &str = "POST /v1/pm/markets/{marketId}/burn";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "sets.mint_and_burn",
        section: SECTION,
        title: "One USD makes one YES and one NO, and back, to the unit.",
        endpoints: &[MINT, BURN, "GET /v1/pm/portfolio", "GET /v1/wallet/assets"],
        needs: Needs::Money("mints one set for 1 USD, and burns it"),
        run: mint_and_burn,
    },
    Check {
        id: "sets.refusals",
        section: SECTION,
        title: "A mint or burn of nothing, of less than nothing, or without a quantity is refused.",
        endpoints: &[MINT, BURN],
        needs: Needs::Money("sends malformed mints of 1 USD, which must be refused, until one is accepted"),
        run: refusals,
    },
    Check {
        id: "sets.unknown",
        section: SECTION,
        title: "A mint or burn in an unknown market is 404.",
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
    let market = probe.quiet_book().or_else(|_| probe.pool())?;
    probe.bind(Decimal::ONE)?;
    let portfolio = "/v1/pm/portfolio?size=100";
    let (before, held) = (probe.balance()?, probe.read(portfolio)?);
    let body = json!({"quantity": 1, "currency": "USD"});
    let minted = probe.write("POST", &format!("/v1/pm/markets/{}/mint", market.id), &body)?;
    probe.succeeded(&minted, &shapes::MINTED)?;
    probe.number_is(&minted.request, minted.value(), "quantity", Decimal::ONE);
    probe.text_is(&minted.request, minted.value(), "marketId", &market.id);
    let (between, now_held) = (probe.balance()?, probe.read(portfolio)?);
    probe.succeeded(&now_held, &shapes::PORTFOLIO)?;
    for outcome in &market.outcomes {
        let gained = shares(now_held.value(), outcome) - shares(held.value(), outcome);
        let what = format!("shares of {outcome} after the mint");
        probe.expect(gained == Decimal::ONE, what, "1 more", gained.to_string());
    }
    if let (Some(before), Some(between)) = (before, between) {
        let paid = before - between;
        probe.expect(paid == Decimal::ONE, "money paid for the mint", "1", paid.to_string());
    }
    let burned = probe.write("POST", &format!("/v1/pm/markets/{}/burn", market.id), &body)?;
    probe.succeeded(&burned, &shapes::BURNED)?;
    probe.number_is(&burned.request, burned.value(), "quantity", Decimal::ONE);
    probe.number_is(&burned.request, burned.value(), "proceeds", Decimal::ONE);
    probe.release(Decimal::ONE);
    let after = probe.balance()?;
    probe.expect(after == before, "the balance after the burn", format!("{before:?}"), format!("{after:?}"));
    Ok(())
}

fn refusals(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    probe.bind(Decimal::ONE)?;
    for operation in ["mint", "burn"] {
        for body in [json!({}), json!({"quantity": 0}), json!({"quantity": -1}), json!({"quantity": "1"})] {
            let mut answer =
                probe.write("POST", &format!("/v1/pm/markets/{}/{operation}", market.id), &body)?;
            answer.request = format!("{} with {body}", answer.request);
            probe.refused(&answer, &[400, 422], None);
            if answer.status == 200 {
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
        probe.refused(&answer, &[404], Some("not_found"));
    }
    Ok(())
}
