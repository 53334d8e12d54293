//! One function per tool. `listing.rs` describes them; `call` finds them by name.

mod account;
mod markets;
mod orders;
mod questions;
mod sets;
mod trading;

use serde_json::{Map, Value};

use crate::agent::Agent;
use crate::arguments::Arguments;
use crate::listing::Tool;
use crate::stop::{Stop, not_found};
use crate::venue::Venue;

/// Runs a tool that the account's reach includes.
pub(crate) async fn call<V: Venue>(
    agent: &Agent<V>,
    tool: &Tool,
    given: Map<String, Value>,
) -> Result<Value, Stop> {
    let arguments = Arguments::new(given, &tool.argument_names())?;
    match tool.name {
        "search_questions" => agent.search_questions(arguments).await,
        "get_question" => agent.get_question(arguments).await,
        "get_market" => agent.get_market(arguments).await,
        "get_price_history" => agent.get_price_history(arguments).await,
        "get_resolution" => agent.get_resolution(arguments).await,
        "list_series" => agent.list_series(arguments).await,
        "get_portfolio" => agent.get_portfolio(arguments).await,
        "list_orders" => agent.list_orders(arguments).await,
        "list_activity" => agent.list_activity(arguments).await,
        "preview_order" => agent.preview_order(arguments).await,
        "place_order" => agent.place_order(arguments).await,
        "cancel_order" => agent.cancel_order(arguments).await,
        "mint_sets" => agent.mint_sets(arguments).await,
        "burn_sets" => agent.burn_sets(arguments).await,
        _ => Err(not_found("There is no such tool.")),
    }
}
