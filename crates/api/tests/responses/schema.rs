//! The schemas match the responses: every reference resolves, every key is described, every required key is there.
//! The server builds its OpenAPI document from the same types.

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

#[test]
fn every_response_fits_its_schema() {
    let schemas = schemas();
    let names = [
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
    let all = golden::all();
    for (golden, name) in names {
        let (_, text) = all.iter().find(|(name, _)| *name == golden).unwrap();
        let value = serde_json::from_str(text).unwrap();
        assert_eq!(fault(&schemas, &schemas[name], &value), None, "{golden}");
    }
    let error = serde_json::to_value(ErrorBody::internal()).unwrap();
    assert_eq!(fault(&schemas, &schemas["ErrorBody"], &error), None);
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
