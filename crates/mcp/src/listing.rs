//! The tools in words: constants, never text of the venue. A client reads all of it before it begins, so it is short.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as ToolModel, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::agent::Reach;

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The key that it needs.
    pub(crate) reach: Reach,
    effect: Effect,
    arguments: &'static [Argument],
}

/// The change that a call makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// The account: money or shares.
    Account,
}

#[derive(Debug)]
struct Argument {
    name: &'static str,
    kind: Kind,
    is_required: bool,
    description: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Text,
    Decimal,
    Flag,
    Count(u64),
    Words(&'static [&'static str]),
}

const fn required(name: &'static str, kind: Kind, description: &'static str) -> Argument {
    Argument { name, kind, is_required: true, description }
}

const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Argument {
    Argument { name, kind, is_required: false, description }
}

const EVENT: Argument = required("event", Kind::Text, "Slug or title of the question");
const MARKET: Argument =
    optional("market", Kind::Text, "Title of the market; needed if the question has several");
const OUTCOME: Argument =
    optional("outcome", Kind::Text, "Label of the outcome, or YES or NO; YES by default");
const SIDES: Kind = Kind::Words(&["BUY", "SELL"]);
const STATUSES: Kind = Kind::Words(&["open", "closed", "resolved", "cancelled", "paused"]);
const INTERVALS: Kind = Kind::Words(&["1m", "5m", "15m", "1h", "6h", "1d"]);

/// All tools, in the order of the listing.
pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "search_questions",
        title: "Search questions",
        description: "Find questions to trade, with the prices of their outcomes. A price is the probability that the market \
                      gives to the outcome. Without a query: the most traded ones.",
        reach: Reach::Public,
        effect: Effect::Nothing,
        arguments: &[
            optional("query", Kind::Text, "Words in titles, descriptions, outcomes"),
            optional("category", Kind::Text, "Such as sports or politics"),
            optional("series", Kind::Text, "Slug of a series"),
            optional("status", STATUSES, "open by default"),
            optional("page", Kind::Count(10_000), "From 1"),
            optional("limit", Kind::Count(25), "10 by default"),
        ],
    },
    Tool {
        name: "get_question",
        title: "Read a question",
        description: "One question: description, dates, every market with its rules, prices, fee and minimum order.",
        reach: Reach::Public,
        effect: Effect::Nothing,
        arguments: &[EVENT],
    },
    Tool {
        name: "get_market",
        title: "Read a market",
        description: "One market now: prices, the best five levels of the book of an outcome, the last 24 hours, the last \
                      trades. A question with engine AMM has no book: it trades against a pool.",
        reach: Reach::Public,
        effect: Effect::Nothing,
        arguments: &[EVENT, MARKET, OUTCOME],
    },
    Tool {
        name: "get_price_history",
        title: "Read past prices",
        description: "Past prices of an outcome as candles, oldest first. Spans without a trade are left out.",
        reach: Reach::Public,
        effect: Effect::Nothing,
        arguments: &[
            EVENT,
            MARKET,
            OUTCOME,
            optional("interval", INTERVALS, "1h by default"),
            optional("limit", Kind::Count(100), "Candles; 24 by default"),
        ],
    },
    Tool {
        name: "get_resolution",
        title: "Read how a question ends",
        description: "The rules of a question with their hash, the verdict that is proposed, and every past verdict with its \
                      evidence.",
        reach: Reach::Public,
        effect: Effect::Nothing,
        arguments: &[EVENT],
    },
    Tool {
        name: "list_series",
        title: "List recurring questions",
        description: "Series that ask a new question at every interval; with a slug, the open questions of that series.",
        reach: Reach::Public,
        effect: Effect::Nothing,
        arguments: &[optional("series", Kind::Text, "Slug of a series")],
    },
    Tool {
        name: "get_portfolio",
        title: "Read the account",
        description: "Money, shares with their cost and value, and the cap: what may be spent in total and on one order, what \
                      is counted as spent, what is left.",
        reach: Reach::Account,
        effect: Effect::Nothing,
        arguments: &[],
    },
    Tool {
        name: "list_orders",
        title: "List orders",
        description: "Open orders of the account, newest first; with include_closed also those that ended.",
        reach: Reach::Account,
        effect: Effect::Nothing,
        arguments: &[
            optional("event", Kind::Text, "Slug or title of a question"),
            optional("include_closed", Kind::Flag, "false by default"),
            optional("limit", Kind::Count(50), "20 by default"),
        ],
    },
    Tool {
        name: "list_activity",
        title: "List activity",
        description: "What happened in the account: orders, payouts, refunds, mints and burns, newest first.",
        reach: Reach::Account,
        effect: Effect::Nothing,
        arguments: &[optional("limit", Kind::Count(50), "20 by default")],
    },
    Tool {
        name: "preview_order",
        title: "Preview an order",
        description: "What an order would do now, the most that it can cost, and a token to place exactly this order once \
                      within 60 seconds. Changes nothing. Without a price it is a market order; with one it is a limit order \
                      whose rest stays in the book. No token is given if the order would be refused.",
        reach: Reach::Trading,
        effect: Effect::Nothing,
        arguments: &[
            EVENT,
            MARKET,
            required("outcome", Kind::Text, "Label of the outcome, or YES or NO"),
            required("side", SIDES, "SELL needs shares in the account"),
            optional(
                "amount",
                Kind::Decimal,
                "Money: to spend with the fee (market BUY; any BUY on a pool), to receive (market SELL), or shares × price \
                 (limit on a book)",
            ),
            optional("shares", Kind::Decimal, "Instead of amount; not for a market BUY"),
            optional("price", Kind::Decimal, "Limit price, 0.01 to 0.99 in whole cents"),
            optional("post_only", Kind::Flag, "Limit on a book only: never take, so pay no fee"),
            optional("max_slippage", Kind::Decimal, "Market only: 0 to 1, 0.05 by default"),
        ],
    },
    Tool {
        name: "place_order",
        title: "Place a previewed order",
        description: "Place the order of a preview. Repeat event, market, outcome, side and worst_cost exactly as the preview \
                      named them. After outcome_unknown read list_orders before anything else.",
        reach: Reach::Trading,
        effect: Effect::Account,
        arguments: &[
            required("token", Kind::Text, "From preview_order"),
            required("event", Kind::Text, "As in the preview"),
            required("market", Kind::Text, "As in the preview"),
            required("outcome", Kind::Text, "As in the preview"),
            required("side", SIDES, "As in the preview"),
            required("worst_cost", Kind::Decimal, "As in the preview"),
        ],
    },
    Tool {
        name: "cancel_order",
        title: "Cancel orders",
        description: "Cancel one open order, or all open orders of the account. Fills stay.",
        reach: Reach::Trading,
        effect: Effect::Account,
        arguments: &[
            optional("order", Kind::Text, "Name of the order from list_orders"),
            optional("all", Kind::Flag, "true: all of them, also those placed elsewhere"),
        ],
    },
    Tool {
        name: "mint_sets",
        title: "Mint complete sets",
        description: "Turn money into equal numbers of YES and NO shares of a market, without a fee. Counts against the \
                      cap. Name the question and the market in full.",
        reach: Reach::Trading,
        effect: Effect::Account,
        arguments: &[EVENT, MARKET, required("amount", Kind::Decimal, "Money to spend")],
    },
    Tool {
        name: "burn_sets",
        title: "Burn complete sets",
        description: "Turn equal numbers of YES and NO shares of a market back into money, without a fee. Name the question \
                      and the market in full.",
        reach: Reach::Trading,
        effect: Effect::Account,
        arguments: &[EVENT, MARKET, required("amount", Kind::Decimal, "Money to receive")],
    },
];

impl Tool {
    /// The tool with this name, if the account's reach includes it.
    pub(crate) fn find(name: &str, reach: Reach) -> Option<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name && tool.reach <= reach)
    }

    /// The tools that the reach includes, as the protocol describes them.
    pub(crate) fn listed(reach: Reach) -> Vec<ToolModel> {
        TOOLS.iter().filter(|tool| tool.reach <= reach).map(Tool::model).collect()
    }

    pub(crate) fn argument_names(&self) -> Vec<&'static str> {
        self.arguments.iter().map(|argument| argument.name).collect()
    }

    fn model(&self) -> ToolModel {
        let is_read = self.effect == Effect::Nothing;
        let hints = ToolAnnotations::new().read_only(is_read).destructive(!is_read).open_world(false);
        let mut model = ToolModel::new(self.name, self.description, Arc::new(self.schema()));
        model.title = Some(self.title.to_owned());
        model.annotations = Some(hints);
        model
    }

    fn schema(&self) -> JsonObject {
        let properties: Map<String, Value> =
            self.arguments.iter().map(|argument| (argument.name.to_owned(), argument.schema())).collect();
        let required =
            self.arguments.iter().filter(|argument| argument.is_required).map(|argument| argument.name);
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), Value::Object(properties));
        schema.insert("required".to_owned(), required.collect::<Vec<_>>().into());
        schema.insert("additionalProperties".to_owned(), false.into());
        schema
    }
}

impl Argument {
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text | Kind::Decimal => json!({"type": "string"}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Count(most) => json!({"type": "integer", "minimum": 1, "maximum": most}),
            Kind::Words(words) => json!({"type": "string", "enum": words}),
        };
        schema["description"] = match self.kind {
            Kind::Decimal => format!("Decimal. {}", self.description).into(),
            _ => self.description.into(),
        };
        schema
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rmcp::model::ListToolsResult;

    use super::{TOOLS, Tool};
    use crate::agent::Reach;

    /// More would fill a model's memory before it begins.
    const LISTING_BYTES_MAX: usize = 20_000;

    #[test]
    fn the_whole_listing_is_short() {
        let listing = ListToolsResult::with_all_items(Tool::listed(Reach::Trading));
        let bytes = serde_json::to_vec(&listing).unwrap().len();
        assert!(bytes <= LISTING_BYTES_MAX, "{bytes} bytes, {LISTING_BYTES_MAX} at most");
        assert_eq!(listing.tools.len(), 14);
    }

    #[test]
    fn only_a_key_shows_the_account_and_only_a_secret_trades() {
        let names = |reach| Tool::listed(reach).into_iter().map(|tool| tool.name).collect::<Vec<_>>();
        assert_eq!(names(Reach::Public).len(), 6);
        assert_eq!(names(Reach::Account).len(), 9);
        assert!(Tool::find("place_order", Reach::Account).is_none());
        assert!(Tool::find("get_portfolio", Reach::Public).is_none());
        assert!(Tool::find("place_order", Reach::Trading).is_some());
        for tool in Tool::listed(Reach::Account) {
            assert_eq!(tool.annotations.and_then(|hints| hints.read_only_hint), Some(true), "{}", tool.name);
        }
    }

    #[test]
    fn names_are_unique_and_arguments_too() {
        let names: BTreeSet<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
        for tool in TOOLS {
            let arguments: BTreeSet<_> = tool.argument_names().into_iter().collect();
            assert_eq!(arguments.len(), tool.arguments.len(), "{}", tool.name);
        }
    }
}
