//! Reads of an account: orders, portfolio, activities, wallet.

use crate::check::{Check, Needs, Source, Stop};
use crate::probe::{Probe, unknown_id};
use crate::shape::Kind;
use crate::shapes;
use crate::wire::Call;

const SECTION: &str = "Endpoints without detailed shape";
const READS: &[&str] = &["GET /v1/pm/portfolio", "GET /v1/pm/orders", "GET /v1/pm/activities"];
const HIDDEN_READS: &[&str] = &["GET /v1/pm/orders/{orderId}", "GET /v1/wallet/assets"];
const UNKNOWN_KEY: &str = "pk_live_00000000000000000000000000000000";

/// A rule about a read that the specification does not show.
const fn reading(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { id, section: SECTION, source: Source::PublicClients, title, endpoints, needs: Needs::Key, run }
}

/// A rule about credentials. It needs none.
const fn access(
    id: &'static str,
    endpoints: &'static [&'static str],
    source: Source,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { section: "Authentication", source, needs: Needs::Nothing, ..reading(id, endpoints, title, run) }
}

pub(super) const CHECKS: &[Check] = &[
    access(
        "account.no_key",
        READS,
        Source::Specification,
        "Portfolio, orders and activities without a public key are 401.",
        no_key,
    ),
    access(
        "account.unknown_key",
        READS,
        Source::Specification,
        "Portfolio, orders and activities with an unknown public key are 401.",
        unknown_key,
    ),
    access(
        "account.hidden_no_key",
        HIDDEN_READS,
        Source::PublicClients,
        "One order and the wallet are 401 without a public key, and with an unknown one.",
        hidden_no_key,
    ),
    Check {
        section: "Authentication",
        source: Source::Specification,
        ..reading(
            "account.key",
            READS,
            "A public key alone reads portfolio, orders and activities.",
            key_reads,
        )
    },
    reading("account.orders", &["GET /v1/pm/orders"], "Orders are listed with a pagination.", orders),
    reading(
        "account.order_filters",
        &["GET /v1/pm/orders"],
        "Orders are filtered by status, side and currency.",
        order_filters,
    ),
    reading(
        "account.unknown_order",
        &["GET /v1/pm/orders/{orderId}"],
        "An unknown order is 404 not_found.",
        unknown_order,
    ),
    reading(
        "account.portfolio",
        &["GET /v1/pm/portfolio"],
        "The portfolio has positions and totals.",
        portfolio,
    ),
    reading(
        "account.activities",
        &["GET /v1/pm/activities"],
        "Activities have their numbers as strings.",
        activities,
    ),
    reading("account.wallet", &["GET /v1/wallet/assets"], "The wallet has an asset per currency.", wallet),
];

const PATHS: [&str; 3] = ["/v1/pm/portfolio", "/v1/pm/orders", "/v1/pm/activities"];

fn no_key(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in PATHS {
        let answer = probe.get(path)?;
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

fn unknown_key(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in PATHS {
        let answer = probe.send(&Call::new("GET", path).header("X-Public-Key", UNKNOWN_KEY))?;
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

fn hidden_no_key(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in [format!("/v1/pm/orders/{}", unknown_id()), "/v1/wallet/assets".to_owned()] {
        let answer = probe.get(&path)?;
        probe.refused(&answer, &[401], None);
        let answer = probe.send(&Call::new("GET", &path).header("X-Public-Key", UNKNOWN_KEY))?;
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

fn key_reads(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in PATHS {
        let answer = probe.read(path)?;
        probe.status(&answer, 200);
    }
    Ok(())
}

fn compare(probe: &mut Probe<'_>, path: &str, kind: &Kind) -> Result<(), Stop> {
    let answer = probe.read(path)?;
    probe.succeeded(&answer, kind)
}

fn orders(probe: &mut Probe<'_>) -> Result<(), Stop> {
    compare(probe, "/v1/pm/orders?page=1&size=100", &shapes::ORDERS)
}

fn order_filters(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for (name, value) in [("status", "open"), ("status", "cancelled"), ("side", "BUY"), ("currency", "USD")] {
        let answer = probe.read(&format!("/v1/pm/orders?{name}={value}"))?;
        probe.succeeded(&answer, &shapes::ORDERS)?;
        for order in answer.value().list("orders") {
            probe.text_is(&answer.request, order, name, value);
        }
    }
    Ok(())
}

fn unknown_order(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.read(&format!("/v1/pm/orders/{}", unknown_id()))?;
    probe.refused(&answer, &[404], Some("not_found"));
    Ok(())
}

fn portfolio(probe: &mut Probe<'_>) -> Result<(), Stop> {
    compare(probe, "/v1/pm/portfolio", &shapes::PORTFOLIO)
}

fn activities(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in ["/v1/pm/activities", "/v1/pm/activities?type=limits", "/v1/pm/activities?type=buys&size=5"] {
        compare(probe, path, &shapes::ACTIVITIES)?;
    }
    Ok(())
}

fn wallet(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.read("/v1/wallet/assets")?;
    probe.succeeded(&answer, &shapes::ASSETS)?;
    for asset in answer.value().list("assets") {
        let expected = if asset.text("symbol") == Some("NGN") { "100" } else { "1" };
        let seen = asset.at("currencyBaseMultiplier").map(ToString::to_string).unwrap_or_default();
        probe.expect(seen == expected, format!("{}: currencyBaseMultiplier", answer.request), expected, seen);
    }
    Ok(())
}
