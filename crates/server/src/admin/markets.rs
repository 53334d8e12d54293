//! Markets: pool funding, terms, pausing a single market, and its outcome.

use api::admin::request::{CancelMarkets, GrowPool, ResolveMarket, SeedPool, SetTerms};
use axum::extract::Path;
use exchange::catalogue::MarketTerms;
use exchange::command::{self, CloseTrading, Command, PauseTrading, ResumeTrading, SetMarketTerms, Target};
use exchange::id::MarketId;
use exchange::index::ListingIndex;
use http::StatusCode;

use super::operator_request::OperatorRequest;
use super::{answers, finding, requests};
use crate::http::{Answered, Failure, ok};
use crate::view::words::ToExchange;

pub(super) async fn seed_pool(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    let SeedPool { currency, amount, price } = request.read()?;
    let (currency, amount, price) = (currency.to_exchange(), amount.to_exchange(), price.to_exchange());
    act(&market, &request, |market| Command::SeedPool(command::SeedPool { market, currency, amount, price }))
        .await
}

pub(super) async fn grow_pool(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    let given: GrowPool = request.read()?;
    let market = finding::market_in_memory(&request.app, &market).await;
    let command = market.and_then(|market| growth(&request, market, &given));
    request.answer_or_propose(StatusCode::OK, command).await
}

/// The growth with a range of prices: at a price outside it, the command is refused.
fn growth(request: &OperatorRequest, market: MarketId, given: &GrowPool) -> Result<Command, Failure> {
    let (currency, amount) = (given.currency.to_exchange(), given.amount.to_exchange());
    let price = {
        let exchange = request.app.reading().read_state();
        let index = ListingIndex::new(finding::market(&exchange, &market.to_string())?, currency);
        exchange.catalogue().listing(index).yes_price()
    };
    let is_given = given.yes_price_min.is_some() || given.yes_price_max.is_some();
    let between = (is_given || request.has_rules(4)).then(|| requests::price_range(given, price));
    Ok(Command::GrowPool(command::GrowPool { market, currency, amount, between }))
}

pub(super) async fn set_market_terms(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    let given: SetTerms = request.read()?;
    let market = finding::market_in_memory(&request.app, &market).await;
    let command = market.and_then(|market| changed_terms(&request, market, given));
    request.answer_or_propose(StatusCode::OK, command).await
}

fn changed_terms(request: &OperatorRequest, market: MarketId, given: SetTerms) -> Result<Command, Failure> {
    let change = requests::terms_change(given, market)?;
    if request.has_rules(4) {
        return Ok(Command::ChangeTerms(change));
    }
    // The first rules have the whole terms only.
    let exchange = request.app.reading().read_state();
    let found = exchange.catalogue().market(finding::market(&exchange, &market.to_string())?);
    let MarketTerms { fee_rate, order_min } = change.over(found.terms());
    Ok(Command::SetMarketTerms(SetMarketTerms { market, fee_rate, order_min }))
}

pub(super) async fn pause_market(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    act(&market, &request, |market| Command::PauseTrading(PauseTrading { target: Target::Market(market) }))
        .await
}

pub(super) async fn resume_market(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    act(&market, &request, |market| Command::ResumeTrading(ResumeTrading { target: Target::Market(market) }))
        .await
}

pub(super) async fn close_market(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    act(&market, &request, |market| Command::CloseTrading(CloseTrading { target: Target::Market(market) }))
        .await
}

pub(super) async fn cancel_market(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    let yes = requests::yes_price(&request.read_or_default::<CancelMarkets>()?)?;
    act(&market, &request, |market| {
        Command::CancelMarkets(command::CancelMarkets { target: Target::Market(market), yes })
    })
    .await
}

/// Previews the payout of cancelling a market; changes nothing.
pub(super) async fn preview_cancel(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    let yes = requests::yes_price(&request.read_or_default::<CancelMarkets>()?)?;
    let market = finding::market_in_memory(&request.app, &market).await?;
    let exchange = request.app.reading().read_state();
    let preview = exchange.preview_cancel(Target::Market(market), yes);
    let preview = preview.map_err(|reject| request.app.writing().refuse(&reject))?;
    let preview = answers::payout_preview(&exchange, &preview);
    drop(exchange);
    ok(&preview)
}

pub(super) async fn resolve_market(Path(market): Path<String>, request: OperatorRequest) -> Answered {
    let ResolveMarket { outcome } = request.read()?;
    let outcome = outcome.to_exchange();
    act(&market, &request, |market| Command::ResolveMarket(command::ResolveMarket { market, outcome })).await
}

async fn act(market: &str, request: &OperatorRequest, command: impl FnOnce(MarketId) -> Command) -> Answered {
    let market = finding::market_in_memory(&request.app, market).await;
    request.answer_or_propose(StatusCode::OK, market.map(command)).await
}
