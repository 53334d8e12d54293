//! Generated responses: every field of every struct that has a writer.

use api::error::{ErrorBody, ErrorCode, ErrorKind, ItemErrorCode, Outcome};
use api::response::*;
use api::terms::*;

use super::generate::{Generate, Source};

macro_rules! structs {
    ($($name:ident $(<$lifetime:lifetime>)? { $($field:ident),+ $(,)? })+) => {$(
        impl Generate for $name $(<$lifetime>)? {
            fn generate(source: &mut Source) -> Self {
                $name { $($field: Generate::generate(source),)+ }
            }
        }
    )+};
}

macro_rules! words {
    ($($name:ident),+ $(,)?) => {$(
        impl Generate for $name {
            fn generate(source: &mut Source) -> $name {
                source.word()
            }
        }
    )+};
}

macro_rules! batches {
    ($($name:ident $(<$lifetime:lifetime>)?),+ $(,)?) => {$(
        impl Generate for $name $(<$lifetime>)? {
            fn generate(source: &mut Source) -> Self {
                let (engine, results) = (source.word(), Generate::generate(source));
                $name { engine, results, summary: Generate::generate(source) }
            }
        }
    )+};
}

words!(
    Currency,
    Engine,
    EventType,
    Status,
    SportMarketType,
    PropDirection,
    OutcomeSide,
    Side,
    OrderType,
    TimeInForce,
    StpMode,
    OrderStatus,
    ErrorKind,
    ErrorCode,
    ItemErrorCode,
    Outcome,
);

batches!(BatchPlaceResponse<'static>, BatchAmendResponse<'static>, BatchCancelResponse);

structs! {
    ClobOrder<'static> {
        id, market_id, user_id, outcome, side, order_type, applied_time_in_force, status, amount, price,
        size, filled_size, remaining_size, avg_fill_price, fee, post_only, stp_mode, quantity, created_at,
        updated_at, event_id, outcome_id, outcome_label, currency, time_in_force, expires_at,
        client_order_id,
    }
    AmmOrder<'static> {
        id, outcome, side, applied_order_type, status, amount, price, quantity, currency, created_at,
        updated_at, event_id, market_id, user_id, outcome_id, outcome_label, order_type, size, filled_size,
        remaining_size, avg_fill_price, fee, post_only, stp_mode, time_in_force, expires_at,
        client_order_id,
    }
    PlaceOrderResponse<'static> { engine, order }
    Orders<'static> { orders, pagination, next_cursor }
    CancelOrderResponse<'static> { message, order }
    CancelAfterResponse { cancel_at }
    CancelAllResponse<'static> { message, orders, total }
    ItemError { code, message, reason }
    Summary { total, succeeded, failed }
    BatchPlaceResult<'static> { index, client_order_id, success, order, error }
    BatchAmendResult<'static> { index, order_id, success, order, error }
    BatchCancelResult { order_id, success, error }
    MintResult { operation_id, market_id, quantity, outcome1_price, outcome2_price }
    BurnResult { operation_id, market_id, quantity, outcome1_price, outcome2_price, proceeds }
    Pagination { page, size, last_page, total_count }
    Book { market_id, outcome_id, timestamp, bids, asks, last_traded_price, last_traded_side }
    BookLevel { price, quantity, total }
    Ticker {
        market_id, outcome, last_price, best_bid, best_ask, mid_price, spread, volume24h, high24h, low24h,
        price_change24h, trade_count24h, timestamp, outcome_id, currency,
    }
    Quote {
        price, current_market_price, quantity, amount, cost_of_shares, fee, price_impact_absolute,
        profit_percentage, currency_base_multiplier, complete_fill, trade_goes_over_max_liability, order,
    }
    QuotedOrder { resting_size, cancelled_size, hold, cancelled_orders, status, refusal }
    QuotedRefusal { code, message }
    Event {
        id, slug, title, category, event_type, engine, status, resolution_date, closing_date, liquidity,
        total_volume, total_orders, supported_currencies, user_watchlisted, markets, sport_game_slug,
        sport_market_type, description, subcategory, created_at, opening_date, resolved_at,
        resolution_source, additional_context, countdown_type, display_countdown, image_url, image128_url,
        hashtags, country_codes, series_slug, asset_symbol_pair, event_threshold, event_threshold_range,
        event_close_value, sport_game_id,
    }
    Events { events, pagination }
    Watched { event_id, user_watchlisted }
    Market {
        id, title, status, outcome1_id, outcome2_id, outcome1_label, outcome2_label, outcome1_price,
        outcome2_price, yes_buy_price, no_buy_price, minimum_order_amount, fee_percentage,
        announced_terms, total_orders,
        rules, prop_line, prop_direction, prop_team, image_url, image128_url, resolution_price,
        resolved_outcome, resolved_outcome_id, market_threshold, market_threshold_range, market_close_value,
        liquidity_reward, maker_rebate,
    }
    AnnouncedTerms { fee_percentage, minimum_order_amount, from }
    PropTeam { id, name, slug, league, sport }
    LiquidityReward { config_id, reward_pool, max_spread_cents, min_notional_order_size }
    MakerRebate { config_id, rebate_percentage, min_payout_usd }
    ErrorBody { error, message, status_code, code, reason, server_time, retry_after, outcome, command_id }
}

impl Generate for Order<'static> {
    fn generate(source: &mut Source) -> Order<'static> {
        if source.below(2) == 0 {
            Order::Clob(Generate::generate(source))
        } else {
            Order::Amm(Generate::generate(source))
        }
    }
}

impl Generate for SentId<'static> {
    fn generate(source: &mut Source) -> SentId<'static> {
        if source.below(2) == 0 {
            SentId::Id(Generate::generate(source))
        } else {
            SentId::Text(Generate::generate(source))
        }
    }
}
