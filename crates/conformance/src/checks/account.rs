//! Reads of an account: orders, portfolio, activities, wallet.

use crate::check::{Check, Needs, Stop};
use crate::probe::{Probe, unknown_id};
use crate::shape::Kind;
use crate::shapes;
use crate::wire::Call;

const SECTION: &str = "Endpoints without detailed shape";
const READS: &[&str] = &[
    "GET /v1/pm/portfolio",
    "GET /v1/pm/orders",
    "GET /v1/pm/orders/{orderId}",
    "GET /v1/pm/activities",
    "GET /v1/wallet/assets",
];

const fn reading(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { id, section: SECTION, title, endpoints, needs: Needs::Key, run }
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        section: "Authentication",
        needs: Needs::Nothing,
        ..reading("account.no_key", READS, "Reads of an account without a public key are 401.", no_key)
    },
    Check {
        section: "Authentication",
        needs: Needs::Nothing,
        ..reading("account.unknown_key", READS, "Reads with an unknown public key are 401.", unknown_key)
    },
    reading("account.orders", &["GET /v1/pm/orders"], "Orders are listed with a pagination.", orders),
    reading(
        "account.order_filters",
        &["GET /v1/pm/orders"],
        "Orders are filtered by status and side.",
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

fn paths() -> [String; 5] {
    [
        "/v1/pm/portfolio".to_owned(),
        "/v1/pm/orders".to_owned(),
        format!("/v1/pm/orders/{}", unknown_id()),
        "/v1/pm/activities".to_owned(),
        "/v1/wallet/assets".to_owned(),
    ]
}

fn no_key(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in paths() {
        let answer = probe.get(&path)?;
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

fn unknown_key(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in paths() {
        let call = Call::new("GET", &path).header("X-Public-Key", "pk_live_00000000000000000000000000000000");
        let answer = probe.send(&call)?;
        probe.refused(&answer, &[401], None);
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
