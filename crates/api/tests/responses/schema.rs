//! The schemas match the responses: every reference resolves, every key is described, every required key is there.
//! The server builds its OpenAPI document from the same types.

use api::json::{self, Decimals};
use api::query::*;
use api::{ErrorBody, request, response};
use serde_json::{Map, Value};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, OpenApi};

use crate::responses::golden;
use api::schema_fault::fault;

#[derive(OpenApi)]
#[openapi(components(schemas(
    ErrorBody,
    api::proof::InclusionProof,
    request::Login,
    request::PasswordReset,
    request::CreateApiKey,
    request::Quote,
    request::PlaceOrder,
    request::BatchPlace,
    request::BatchAmend,
    request::BatchCancel,
    request::CancelAfter,
    request::CancelAll,
    request::MintSets,
    request::BurnSets,
    request::CreatePriceAlert,
    request::ReadNotifications,
    request::SubscribePush,
    response::AccountChangeList,
    response::AccountValue,
    response::Activities,
    response::ActiveLiquidityRewards,
    response::ActiveMakerRebates,
    response::ApiKeys,
    response::AuthCheck,
    response::BatchAmendResponse,
    response::BatchCancelResponse,
    response::BatchPlaceResponse,
    response::Book,
    response::BurnResult,
    response::CancelAfterResponse,
    response::CancelAllResponse,
    response::CancelOrderResponse,
    response::AssetPrices,
    response::Candles,
    response::NewsList,
    response::Event,
    response::EventResolution,
    response::Events,
    response::Games,
    response::Health,
    response::IssuedApiKey,
    response::LeanEvent,
    response::Leagues,
    response::LiquidityRewards,
    response::MakerRebates,
    response::MarketChangeList,
    response::Message,
    response::MintResult,
    response::Notifications,
    response::Orders,
    response::PlaceOrderResponse,
    response::Pnl,
    response::Portfolio,
    response::PriceAlerts,
    response::PriceHistory,
    response::PushSubscriptions,
    response::Quote,
    response::Ready,
    response::SeriesList,
    response::Session,
    response::Solvency,
    response::Statement,
    response::Teams,
    response::Ticker,
    response::Trades,
    response::UserProfile,
    response::Version,
    response::WalletAssets,
    response::Watched,
)))]
struct Document;

fn schemas() -> Map<String, Value> {
    let document = serde_json::to_value(Document::openapi()).unwrap();
    document["components"]["schemas"].as_object().unwrap().clone()
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(object) => {
            found.extend(object.get("$ref").and_then(Value::as_str));
            object.values().for_each(|value| references(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_to_a_schema() {
    let schemas = schemas();
    let all = Value::Object(schemas.clone());
    let mut found = Vec::new();
    references(&all, &mut found);
    assert!(found.len() > 100, "{}", found.len());
    for reference in found {
        let name = reference.strip_prefix("#/components/schemas/").unwrap();
        assert!(schemas.contains_key(name), "{name}");
    }
}

#[test]
fn every_schema_is_described() {
    for (name, schema) in schemas() {
        assert!(schema.get("description").is_some(), "{name}: {schema}");
    }
}

/// The schema of each response, by the name of its golden file.
const NAMES: [(&str, &str); 55] = [
    ("health", "Health"),
    ("version", "Version"),
    ("ready", "Ready"),
    ("message", "Message"),
    ("auth_check", "AuthCheck"),
    ("session", "Session"),
    ("issued_api_key", "IssuedApiKey"),
    ("api_keys", "ApiKeys"),
    ("user_profile", "UserProfile"),
    ("event", "Event"),
    ("events", "Events"),
    ("watched", "Watched"),
    ("event_resolution", "EventResolution"),
    ("series_list", "SeriesList"),
    ("quote", "Quote"),
    ("order_quote", "Quote"),
    ("refused_quote", "Quote"),
    ("place_order_clob", "PlaceOrderResponse"),
    ("place_order_amm", "PlaceOrderResponse"),
    ("orders", "Orders"),
    ("cancel_order", "CancelOrderResponse"),
    ("cancel_after", "CancelAfterResponse"),
    ("cancel_all", "CancelAllResponse"),
    ("batch_place", "BatchPlaceResponse"),
    ("batch_amend", "BatchAmendResponse"),
    ("batch_cancel", "BatchCancelResponse"),
    ("mint", "MintResult"),
    ("burn", "BurnResult"),
    ("solvency", "Solvency"),
    ("my_solvency", "InclusionProof"),
    ("portfolio", "Portfolio"),
    ("wallet_assets", "WalletAssets"),
    ("activities", "Activities"),
    ("pnl", "Pnl"),
    ("statement", "Statement"),
    ("notifications", "Notifications"),
    ("price_alerts", "PriceAlerts"),
    ("push_subscriptions", "PushSubscriptions"),
    ("account_value", "AccountValue"),
    ("trades", "Trades"),
    ("ticker", "Ticker"),
    ("price_history", "PriceHistory"),
    ("candles", "Candles"),
    ("asset_prices", "AssetPrices"),
    ("news", "NewsList"),
    ("market_changes", "MarketChangeList"),
    ("account_changes", "AccountChangeList"),
    ("teams", "Teams"),
    ("games", "Games"),
    ("leagues", "Leagues"),
    ("liquidity_rewards", "LiquidityRewards"),
    ("active_liquidity_rewards", "ActiveLiquidityRewards"),
    ("maker_rebates", "MakerRebates"),
    ("active_maker_rebates", "ActiveMakerRebates"),
    ("pagination_of_nothing", "Pagination"),
];

#[test]
fn every_response_fits_its_schema() {
    let schemas = schemas();
    let all = golden::all();
    for (golden, name) in NAMES {
        let (_, text) = all.iter().find(|(name, _)| *name == golden).unwrap();
        let value = serde_json::from_str(text).unwrap();
        assert_eq!(fault(&schemas, &schemas[name], &value), None, "{golden}");
    }
    let error = serde_json::from_slice(&json::to_vec(&ErrorBody::internal())).unwrap();
    assert_eq!(fault(&schemas, &schemas["ErrorBody"], &error), None);
}

/// The value with its decimals as strings. `schemas` are those that it may have.
fn in_strings(document: &Map<String, Value>, schemas: &[&Value], value: &Value) -> Value {
    let schemas: Vec<&Value> = schemas.iter().flat_map(|schema| alternatives(document, schema)).collect();
    let parts =
        |part: &str| -> Vec<&Value> { schemas.iter().filter_map(|schema| schema.get(part)).collect() };
    match value {
        Value::Number(number) if schemas.iter().any(|schema| schema["format"] == "decimal") => {
            number.to_string().into()
        }
        Value::Array(items) => items.iter().map(|item| in_strings(document, &parts("items"), item)).collect(),
        Value::Object(fields) => {
            let member = |(key, value): (&String, &Value)| {
                let named: Vec<&Value> =
                    parts("properties").iter().filter_map(|properties| properties.get(key)).collect();
                let of_key = if named.is_empty() { parts("additionalProperties") } else { named };
                (key.clone(), in_strings(document, &of_key, value))
            };
            Value::Object(fields.iter().map(member).collect())
        }
        other => other.clone(),
    }
}

/// A schema with those that it refers to and those of which it is one.
fn alternatives<'a>(document: &'a Map<String, Value>, schema: &'a Value) -> Vec<&'a Value> {
    let mut found = vec![schema];
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/")) {
        found.extend(alternatives(document, &document[name]));
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        let choices = schema[key].as_array().into_iter().flatten();
        found.extend(choices.flat_map(|choice| alternatives(document, choice)));
    }
    found
}

#[test]
fn every_response_has_a_form_with_strings_where_its_schema_has_decimals() {
    let schemas = schemas();
    let (numbers, strings) = (golden::in_form(Decimals::Numbers), golden::in_form(Decimals::Strings));
    let value = |all: &[(&str, String)], golden: &str| -> Value {
        let (_, text) = all.iter().find(|(name, _)| *name == golden).unwrap();
        serde_json::from_str(text).unwrap()
    };
    let mut changed = 0;
    for (golden, name) in NAMES {
        let (number, string) = (value(&numbers, golden), value(&strings, golden));
        assert_eq!(string, in_strings(&schemas, &[&schemas[name]], &number), "{golden}");
        changed += usize::from(string != number);
    }
    assert!(changed > 25, "{changed}");
}

#[test]
fn the_checker_itself_finds_faults() {
    let schemas = schemas();
    let check =
        |name: &str, text: &str| fault(&schemas, &schemas[name], &serde_json::from_str(text).unwrap());
    assert_eq!(check("Health", r#"{"status":"ok"}"#), None);
    for text in [r#"{"status":"fine"}"#, r#"{"status":1}"#, "{}", r#"{"status":"ok","more":1}"#, "[]"] {
        assert!(check("Health", text).is_some(), "{text}");
    }
    assert!(check("Pagination", r#"{"page":1.5,"size":1,"lastPage":1,"totalCount":1}"#).is_some());
}

#[test]
fn only_the_outcomes_of_a_book_are_a_required_parameter() {
    fn named<T: IntoParams>() -> Vec<Parameter> {
        T::into_params(|| Some(ParameterIn::Query))
    }
    let all = [
        named::<AccountValueQuery>(),
        named::<ActivitiesQuery>(),
        named::<BooksQuery>(),
        named::<CandlesQuery>(),
        named::<AssetPricesQuery>(),
        named::<ChangesQuery>(),
        named::<MarketChangesQuery>(),
        named::<EventQuery>(),
        named::<EventsQuery>(),
        named::<GamesQuery>(),
        named::<NotificationsQuery>(),
        named::<OrdersQuery>(),
        named::<PnlQuery>(),
        named::<PortfolioQuery>(),
        named::<PriceHistoryQuery>(),
        named::<RewardsQuery>(),
        named::<SeriesQuery>(),
        named::<StatementQuery>(),
        named::<TeamsQuery>(),
        named::<TickerQuery>(),
        named::<TradesQuery>(),
        named::<UserLookupQuery>(),
    ]
    .concat();
    let is_required = |parameter: &&Parameter| parameter.required == utoipa::openapi::Required::True;
    let required: Vec<_> = all.iter().filter(is_required).map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(required, ["outcomeId[]"]);
    let names: Vec<_> = named::<EventsQuery>().into_iter().map(|parameter| parameter.name).collect();
    let expected = "keyword q category subcategory status type engine trending order watchlist seriesSlug sportGameSlug currency page size";
    assert_eq!(names.join(" "), expected);
}
