//! A statement: the movements of a user's money as history stores them, with their markets' titles.

use api::query::PageQuery;
use api::response::{Movement, Pagination, Statement};
use api::terms::MovementType;
use exchange::change::{Party, Settled, Trade};
use exchange::id::UserId;
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::{OrderRecord, Outcome, Side};

use super::order::event_and_market_of;
use super::pages::cursor;
use super::wallet::derived_id;
use super::words::ToApi;
use crate::history::{MovementCause, Page, StoredMovement};
use crate::view::live_and_retired::LiveAndRetired;

pub fn statement(
    known: &LiveAndRetired<'_>,
    user: UserId,
    page: &Page<StoredMovement>,
    (currency, pages): (Currency, PageQuery),
) -> Statement {
    Statement {
        movements: page.rows.iter().map(|stored| movement(known, user, currency, stored)).collect(),
        pagination: Pagination::new(pages, page.total),
        next_cursor: cursor(page.next),
    }
}

fn movement(
    known: &LiveAndRetired<'_>,
    user: UserId,
    currency: Currency,
    stored: &StoredMovement,
) -> Movement {
    let bare = Movement {
        id: derived_id("movement", user.as_u128(), &stored.number.to_string()),
        movement_type: MovementType::Deposit,
        currency: currency.to_api(),
        amount: stored.amount.to_api(),
        balance: stored.balance.to_api(),
        fee: Money::ZERO.to_api(),
        event_id: None,
        market_id: None,
        event_title: None,
        market_title: None,
        outcome: None,
        size: None,
        price: None,
        order_id: None,
        reference: None,
        created_at: stored.at.to_api(),
    };
    let described = match &stored.cause {
        MovementCause::Took(trade) => of_fill(bare, trade, &trade.taker, trade.taker_fee),
        MovementCause::Made(trade) => of_fill(bare, trade, &trade.maker, Money::ZERO),
        MovementCause::Pool(order) => of_pool(bare, order),
        MovementCause::Sets(sets) => Movement {
            movement_type: if sets.side == Side::Buy { MovementType::Mint } else { MovementType::Burn },
            size: Some(sets.sets.to_api()),
            ..bare
        },
        MovementCause::Settled(settled) => of_settled(bare, settled),
        MovementCause::Funds { reference } => {
            let is_credit = stored.amount > Money::ZERO;
            let movement_type = if is_credit { MovementType::Deposit } else { MovementType::Withdrawal };
            Movement { movement_type, reference: Some(reference.clone()), ..bare }
        }
    };
    let Some(market) = stored.cause.market() else { return described };
    let (event, market) = event_and_market_of(known.exchange_of(market), market);
    Movement {
        event_id: Some(event.id.to_api()),
        market_id: Some(market.id.to_api()),
        event_title: Some(event.details.title.to_string()),
        market_title: Some(market.details.title.to_string()),
        ..described
    }
}

fn of_fill(bare: Movement, trade: &Trade, party: &Party, fee: Money) -> Movement {
    Movement {
        movement_type: side_type(party.side),
        fee: fee.to_api(),
        outcome: Some(party.outcome.to_api()),
        size: Some(trade.size.to_api()),
        price: Some(Ppm::from(party.price).to_api()),
        order_id: Some(party.order.to_api()),
        ..bare
    }
}

fn of_pool(bare: Movement, order: &OrderRecord) -> Movement {
    Movement {
        movement_type: side_type(order.terms.side),
        fee: order.terms.fee.to_api(),
        outcome: Some(order.terms.outcome.to_api()),
        size: Some(order.terms.filled.to_api()),
        price: Some(order.average_price().to_api()),
        order_id: Some(order.terms.id.to_api()),
        ..bare
    }
}

fn of_settled(bare: Movement, settled: &Settled) -> Movement {
    let outcome = held_outcome(settled);
    Movement {
        movement_type: if settled.is_refund { MovementType::Refund } else { MovementType::Payout },
        outcome: outcome.map(ToApi::to_api),
        size: outcome.map(|outcome| settled.shares(outcome).to_api()),
        ..bare
    }
}

/// The outcome of a settled position; none if it had shares of both.
pub(super) fn held_outcome(settled: &Settled) -> Option<Outcome> {
    match (settled.yes > Shares::ZERO, settled.no > Shares::ZERO) {
        (true, false) => Some(Outcome::Yes),
        (false, true) => Some(Outcome::No),
        _ => None,
    }
}

fn side_type(side: Side) -> MovementType {
    match side {
        Side::Buy => MovementType::Buy,
        Side::Sell => MovementType::Sell,
    }
}
