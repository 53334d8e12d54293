//! Sessions, keys and a user's holdings.

use api::decimal::{DecimalString, Money, Percent};
use api::response::*;
use api::signing::SecretKey;
use api::terms::*;

use super::{at, id, money, pagination, shares, unit_price};

pub fn session() -> Session {
    Session { token: "token".to_owned(), device_id: "d_abc123".to_owned(), user_id: id(20) }
}

pub fn issued_key() -> IssuedApiKey {
    IssuedApiKey {
        id: id(70),
        name: "bot".to_owned(),
        public_key: "pk_live_00".to_owned(),
        secret_key: ShownSecret(SecretKey::from_text("sk_live_00")),
        signing_instructions: SigningInstructions::CURRENT,
        created_at: at(0),
    }
}

pub fn keys() -> ApiKeys {
    ApiKeys::from(vec![ApiKey {
        id: id(70),
        name: "bot".to_owned(),
        public_key: "pk_live_00".to_owned(),
        secret_key_hint: "sk_live_...xyz".to_owned(),
        created_at: at(0),
    }])
}

pub fn portfolio() -> Portfolio {
    let balance = OutcomeBalance {
        id: id(90),
        outcome: OutcomeSide::Yes,
        outcome_id: id(3),
        asset_id: id(95),
        user_id: id(20),
        balance: shares(1_951_265),
        available_balance: shares(1_951_265),
        average_price: unit_price(512_488),
        cost: money(99_999_984),
        current_value: money(96_078_318),
        sell_price: unit_price(492_390),
        payout_if_outcome_wins: money(195_126_500),
        percentage_change: Percent::from_units(-392),
        currency: Currency::Usd,
        market: PortfolioMarket {
            id: id(2),
            title: "Will it rain?".to_owned(),
            image_url: String::new(),
            outcome1_id: id(3),
            outcome2_id: id(4),
            outcome1_label: "YES".to_owned(),
            outcome2_label: "NO".to_owned(),
            outcome1_price: unit_price(650_000),
            outcome2_price: unit_price(350_000),
            event: PortfolioEvent {
                id: id(1),
                title: "Rain in Lagos".to_owned(),
                event_type: EventType::Single,
                engine: Engine::Amm,
            },
        },
        created_at: at(0),
        updated_at: at(1),
    };
    Portfolio {
        outcome_balances: vec![balance],
        portfolio_cost: money(99_999_984),
        portfolio_current_value: money(96_078_318),
        portfolio_percentage_change: Percent::from_units(-392),
        pagination: pagination(),
    }
}

pub fn wallet() -> WalletAssets {
    let asset = WalletAsset {
        id: id(95),
        symbol: Currency::Ngn,
        user_id: id(20),
        network: "internal".to_owned(),
        available_balance: money(1_000_000_000_001),
        pending_balance: Money::ZERO,
        deposit_activity: WalletActivity::Active,
        withdrawal_activity: WalletActivity::Active,
        wager_activity: WalletActivity::Suspended,
        is_default: false,
        is_local_currency_asset: true,
        addresses: vec![],
        currency_base_multiplier: Currency::Ngn.base_multiplier(),
        created_at: at(0),
        updated_at: at(0),
    };
    WalletAssets { assets: vec![asset] }
}

pub fn activity() -> Activity {
    Activity {
        id: id(100),
        activity_type: ActivityType::BuyMarketOrderCreated,
        event_id: id(1),
        market_id: id(2),
        outcome_id: id(3),
        order_id: Some(id(10)),
        settlement_id: None,
        transaction_id: None,
        event_type: ActivityEventType::Single,
        image_url: String::new(),
        event_title: "Rain in Lagos".to_owned(),
        market_title: "Will it rain?".to_owned(),
        outcome: OutcomeSide::Yes,
        resolved_outcome: None,
        currency: Currency::Usd,
        amount: money(100_000_000).into(),
        fee: money(2_000_000).into(),
        size: shares(1_382_100).into(),
        filled_size: None,
        remaining_size: None,
        price: unit_price(723_500).into(),
        avg_fill_price: None,
        total_cost: money(102_000_000).into(),
        currency_base_multiplier: DecimalString::integer(1),
        status: ActivityStatus::Filled,
        expires_at: None,
        payout: None,
        amount_spent: None,
        amount_refunded: None,
        amount_earned: None,
        shares_returned: None,
        created_at: at(0),
        updated_at: at(0),
    }
}

/// An activity with every optional field.
pub fn full_activity() -> Activity {
    let number = Some(DecimalString::from(money(1_500_000)));
    Activity {
        order_id: None,
        settlement_id: Some(id(101)),
        transaction_id: Some(id(102)),
        resolved_outcome: Some(OutcomeSide::No),
        filled_size: number,
        remaining_size: number,
        avg_fill_price: number,
        expires_at: Some(at(60)),
        payout: number,
        amount_spent: number,
        amount_refunded: number,
        amount_earned: number,
        shares_returned: number,
        ..activity()
    }
}

pub fn activities() -> Activities {
    let activities = vec![activity(), full_activity()];
    Activities { activities, pagination: pagination(), next_cursor: None }
}

pub fn pnl() -> Pnl {
    let event = EventPnl {
        event_id: id(1),
        event_title: "Rain in Lagos".to_owned(),
        realized_pnl: money(-1_500_000),
        currency: Currency::Usd,
        last_activity: at(0),
    };
    Pnl {
        realized_pnl: money(-1_500_000),
        realized_pnl_percent: Percent::from_units(-150),
        settlement_pnl: money(-2_000_000),
        trade_pnl: money(500_000),
        wins: 0,
        losses: 1,
        currency: Currency::Usd,
        breakdown: Some(vec![event]),
    }
}

pub fn statement() -> Statement {
    let bare = Movement {
        id: id(60),
        movement_type: MovementType::Deposit,
        currency: Currency::Usd,
        amount: money(100_000_000),
        balance: money(100_000_000),
        fee: money(0),
        event_id: None,
        market_id: None,
        event_title: None,
        market_title: None,
        outcome: None,
        size: None,
        price: None,
        order_id: None,
        reference: None,
        created_at: at(0),
    };
    let buy = Movement {
        id: id(61),
        movement_type: MovementType::Buy,
        amount: money(-9_999_958),
        balance: money(90_000_042),
        fee: money(196_078),
        event_id: Some(id(1)),
        market_id: Some(id(2)),
        event_title: Some("Rain in Lagos".to_owned()),
        market_title: Some("Will it rain?".to_owned()),
        outcome: Some(OutcomeSide::Yes),
        size: Some(shares(217_864)),
        price: Some(unit_price(450_000)),
        order_id: Some(id(30)),
        created_at: at(60),
        ..bare.clone()
    };
    let deposit = Movement { reference: Some("bank transfer 7".to_owned()), ..bare };
    Statement { movements: vec![buy, deposit], pagination: pagination(), next_cursor: None }
}

pub fn notifications() -> Notifications {
    let fill = Notification {
        id: id(62),
        notification_type: NotificationType::Fill,
        sequence: 41,
        is_read: false,
        event_id: id(1),
        market_id: id(2),
        event_title: "Rain in Lagos".to_owned(),
        market_title: "Will it rain?".to_owned(),
        currency: Currency::Usd,
        outcome: Some(OutcomeSide::Yes),
        resolved_outcome: None,
        side: Some(Side::Buy),
        size: Some(shares(217_864)),
        price: Some(unit_price(450_000)),
        amount: Some(money(9_803_880)),
        fills: Some(19),
        order_id: Some(id(30)),
        created_at: at(0),
    };
    let payout = Notification {
        id: id(63),
        notification_type: NotificationType::Payout,
        sequence: 40,
        is_read: true,
        resolved_outcome: Some(OutcomeSide::Yes),
        side: None,
        price: None,
        amount: Some(money(21_786_400)),
        fills: None,
        order_id: None,
        ..fill.clone()
    };
    Notifications { notifications: vec![fill, payout], unread: 1, read_until: 40 }
}

pub fn price_alerts() -> PriceAlerts {
    let waiting = PriceAlert {
        id: id(64),
        event_id: id(1),
        market_id: id(2),
        event_title: "Rain in Lagos".to_owned(),
        market_title: "Will it rain?".to_owned(),
        outcome: OutcomeSide::Yes,
        currency: Currency::Usd,
        price: unit_price(600_000),
        direction: AlertDirection::Rises,
        created_at: at(0),
        fired_at: None,
    };
    let fired = PriceAlert { id: id(65), fired_at: Some(at(60)), ..waiting.clone() };
    PriceAlerts { alerts: vec![waiting, fired] }
}

pub fn push_subscriptions() -> PushSubscriptions {
    let endpoint = "https://push.example/send/1".to_owned();
    let subscription = PushSubscription { id: id(66), endpoint, created_at: at(0) };
    PushSubscriptions { public_key: "BP4z9KsN6nGRTbVYI".to_owned(), subscriptions: vec![subscription] }
}

pub fn account_value() -> AccountValue {
    let point = ValuePoint {
        timestamp: at(0),
        cash: money(90_000_042),
        positions: money(9_803_880),
        value: money(99_803_922),
    };
    AccountValue { currency: Currency::Usd, points: vec![point] }
}

pub fn user() -> UserProfile {
    UserProfile { id: id(20), tag: "ada".to_owned(), image_url: String::new() }
}
