//! The tools against a scripted venue: the cap, lost answers, names, reads, and planted text.

mod caps;
mod names;
mod planted;
mod reads;
mod script;

use api::decimal::Money;
use api::terms::Currency;
use serde_json::{Value, json};

use crate::agent::{Agent, Reach};
use crate::budget::Budget;
use crate::listing::Tool;
use crate::settings::Caps;
use crate::stop::Stop;
use crate::tools;
use script::Script;

/// An account that may spend this much in total and on one order.
fn agent(script: Script, spend: &str, order: &str) -> Agent<Script> {
    let money = |text: &str| Money::parse(text).unwrap();
    let caps = Caps { spend_max: money(spend), order_max: money(order) };
    Agent::new(script, Reach::Trading, Currency::Usd, Budget::new(caps))
}

/// Calls a tool as the protocol does.
async fn call(agent: &Agent<Script>, tool: &str, arguments: Value) -> Result<Value, Stop> {
    let tool = Tool::find(tool, agent.reach).expect("a tool of the listing");
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    tools::call(agent, tool, arguments).await
}

/// The code of a refusal.
fn code(answer: Result<Value, Stop>) -> &'static str {
    match answer {
        Err(Stop::Refused(refusal)) => refusal.code,
        other => panic!("a refusal is expected, not {other:?}"),
    }
}

/// A preview, and the arguments that place its order.
async fn previewed(agent: &Agent<Script>, order: Value) -> Value {
    let mut arguments = json!({"event": "rain", "outcome": "YES", "side": "BUY"});
    for (name, value) in order.as_object().expect("an object") {
        arguments[name] = value.clone();
    }
    let preview = call(agent, "preview_order", arguments).await.expect("a preview");
    let repeated = ["token", "event", "market", "outcome", "side", "worst_cost"];
    repeated
        .iter()
        .map(|name| ((*name).to_owned(), preview[*name].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
