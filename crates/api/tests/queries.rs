//! Query strings as clients send them.

use api::BadRequest;
use api::admin::query::StatisticsQuery;
use api::query::{
    ActivitiesQuery, AssetPricesQuery, BooksQuery, CandlesQuery, ChangesQuery, EventQuery, EventsQuery,
    GamesQuery, MarketChangesQuery, NumbersQuery, OrdersQuery, OutcomeChoice, PnlQuery, PortfolioQuery,
    PriceHistoryQuery, RawQuery, RewardsQuery, SeriesQuery, TeamsQuery, TickerQuery, TradesQuery,
    UserLookupQuery,
};
use api::terms::{
    ActivityGroup, CandleInterval, Currency, Engine, EventType, EventsOrder, HistoryPeriod, NumberFormat,
    OrderStatus, OutcomeSide, PnlPeriod, Side, Status, TradesEngine,
};
use api::timestamp::Timestamp;
use proptest::prelude::*;
use uuid::{Uuid, uuid};

const A: Uuid = uuid!("01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a");
const B: Uuid = uuid!("01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0b");
const NOT_AN_ID: &str = "must be a UUID, such as 01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";
const NOT_A_TIME: &str = "must be an RFC 3339 time, such as 2026-07-28T23:42:38Z";

/// A query with `$a` and `$b` for two ids.
fn with_ids(text: &str) -> String {
    text.replace("$a", &A.to_string()).replace("$b", &B.to_string())
}

fn refused<T: std::fmt::Debug>(result: Result<T, BadRequest>) -> String {
    result.unwrap_err().message
}

#[test]
fn pages_have_the_defaults_and_bounds_of_each_list() {
    let sizes = [
        EventsQuery::parse("").unwrap().pages(),
        OrdersQuery::parse("").unwrap().pages(),
        ActivitiesQuery::parse("").unwrap().pages(),
        RewardsQuery::parse("").unwrap().pages(),
        SeriesQuery::parse("").unwrap().pages(),
        TradesQuery::parse("").unwrap().pages(),
        TeamsQuery::parse("").unwrap().pages(),
        GamesQuery::parse("").unwrap().pages(),
        PortfolioQuery::parse("").unwrap().pages(),
    ]
    .map(|pages| (pages.page, pages.size));
    assert_eq!(sizes, [20, 20, 20, 20, 50, 50, 50, 50, 100].map(|size| (1, size)));
    let pages = TradesQuery::parse("page=3&size=100&limit=5000&cursor=x").unwrap().pages();
    assert_eq!((pages.page, pages.size, pages.offset()), (3, 100, 200));
    let far = TradesQuery::parse("page=4294967295&size=100").unwrap().pages();
    assert_eq!(far.offset(), 429_496_729_400);
    let page = "page: must be a whole number of at least 1";
    let size = "size: must be a whole number from 1 to 100";
    for (text, message) in [
        ("page=0", page),
        ("page=-1", page),
        ("page=+1", page),
        ("page=1.0", page),
        ("page=x", page),
        ("page=4294967296", page),
        ("page=99999999999999999999", page),
        ("page=%D9%A1", page),
        ("size=0", size),
        ("size=101", size),
        ("size=1e1", size),
        ("size=10%20", size),
        ("page=1&page=2", "page: is given twice"),
    ] {
        assert_eq!(refused(TradesQuery::parse(text)), message, "{text}");
        assert_eq!(refused(EventsQuery::parse(text)), message, "{text}");
    }
}

#[test]
fn events_take_every_filter_in_any_case() {
    let text = "keyword=rain+in%20Lagos%3F&category=CRYPTO&subcategory=x&status=OPEN&type=Combined&engine=clob&trending=true\
                &watchlist=false&seriesSlug=crypto-btc-1h&sportGameSlug=g&currency=ngn&page=2&size=5&unknown=1&q=NAIRA,+dol";
    let expected = EventsQuery {
        keyword: Some("rain in Lagos?".to_owned()),
        q: vec!["naira".to_owned(), "dol".to_owned()],
        category: Some("CRYPTO".to_owned()),
        subcategory: Some("x".to_owned()),
        status: Some(Status::Open),
        event_type: Some(EventType::Combined),
        engine: Some(Engine::Clob),
        trending: true,
        order: None,
        watchlist: false,
        series_slug: Some("crypto-btc-1h".to_owned()),
        sport_game_slug: Some("g".to_owned()),
        currency: Some(Currency::Ngn),
        page: 2,
        size: 5,
    };
    assert_eq!(EventsQuery::parse(text).unwrap(), expected);
    assert_eq!(EventsQuery::parse("order=Volume&trending=false").unwrap().order, Some(EventsOrder::Volume));
    assert_eq!(EventQuery::parse("currency=").unwrap().currency, Currency::Usd);
    for (text, message) in [
        ("status=ended", "status: must be open, closed, resolved, cancelled, paused or draft"),
        ("type=x", "type: must be single, combined or grouped"),
        ("engine=x", "engine: must be AMM or CLOB"),
        ("currency=EUR", "currency: must be USD or NGN"),
        ("trending=maybe", "trending: must be true or false"),
        ("order=newest", "order: must be closing or volume"),
        ("q=%21", "q: must have a letter or a digit"),
        ("q=a+b+c+d+e+f+g+h+i", "q: must have at most 8 words"),
    ] {
        assert_eq!(refused(EventsQuery::parse(text)), message, "{text}");
    }
    let long = format!("keyword={}", "é".repeat(101));
    assert_eq!(refused(EventsQuery::parse(&long)), "keyword: must have at most 100 characters");
}

#[test]
fn orders_take_every_filter() {
    let text = with_ids(
        "side=BUY&status=partial_filled&eventId=$a&marketId=$b&outcomeId=$a&currency=USD&clientOrderId=mm-1&after=c",
    );
    let query = OrdersQuery::parse(&text).unwrap();
    assert_eq!((query.side, query.status), (Some(Side::Buy), Some(OrderStatus::PartialFilled)));
    assert_eq!((query.event_id, query.market_id, query.outcome_id), (Some(A), Some(B), Some(A)));
    assert_eq!((query.currency, query.client_order_id.as_deref()), (Some(Currency::Usd), Some("mm-1")));
    assert_eq!(query.after.as_deref(), Some("c"));
    assert_eq!(OrdersQuery::parse("").unwrap().currency, None);
    assert_eq!(refused(OrdersQuery::parse("marketId=x")), format!("marketId: {NOT_AN_ID}"));
    assert_eq!(refused(OrdersQuery::parse("side=HOLD")), "side: must be BUY or SELL");
}

#[test]
fn trades_take_every_filter_and_dates_with_a_lost_plus() {
    let text = with_ids(
        "id=$a&marketId=$b&orderId=$a&outcomeId=$b&userId=$a&fromDate=2026-07-28T23:00:00+01:00\
         &toDate=2026-07-28T22%3A30%3A00.5Z",
    );
    let query = TradesQuery::parse(&text).unwrap();
    assert_eq!((query.id, query.market_id, query.order_id), (Some(A), Some(B), Some(A)));
    assert_eq!((query.outcome_id, query.user_id), (Some(B), Some(A)));
    assert_eq!(query.from_date, Some(Timestamp::parse("2026-07-28T22:00:00Z").unwrap()));
    assert_eq!(query.to_date, Some(Timestamp::parse("2026-07-28T22:30:00.5Z").unwrap()));
    let escaped = TradesQuery::parse("fromDate=2026-07-28T23%3A00%3A00%2B01%3A00").unwrap();
    assert_eq!(escaped.from_date, query.from_date);
    for text in ["fromDate=yesterday", "fromDate=2026-07-28", "fromDate=1785282158"] {
        assert_eq!(refused(TradesQuery::parse(text)), format!("fromDate: {NOT_A_TIME}"), "{text}");
    }
    let engine = |text| TradesQuery::parse(text).unwrap().engine;
    assert_eq!((engine(""), engine("engine=amm")), (TradesEngine::Clob, TradesEngine::Amm));
    assert_eq!((engine("engine=ALL"), engine("engine=CLOB")), (TradesEngine::All, TradesEngine::Clob));
    assert_eq!(refused(TradesQuery::parse("engine=BOTH")), "engine: must be CLOB, AMM or ALL");
}

#[test]
fn books_take_outcomes_repeated_joined_or_encoded() {
    for text in [
        "outcomeId[]=$a&outcomeId[]=$b",
        "outcomeId[]=$a,$b",
        "outcomeId%5B%5D=$a%2C$b",
        "outcomeId%5b%5d=$a&outcomeId=$b",
        "outcomeId=$a,$b",
        "outcomeId[]=$a,+$b,",
    ] {
        assert_eq!(BooksQuery::parse(&with_ids(text)).unwrap().outcome_id, [A, B], "{text}");
    }
    let query = BooksQuery::parse(&with_ids("outcomeId[]=$a")).unwrap();
    assert_eq!((query.depth, query.currency), (10, Currency::Usd));
    let query = BooksQuery::parse(&with_ids("outcomeId[]=$a&depth=99&currency=NGN")).unwrap();
    assert_eq!((query.depth, query.currency), (99, Currency::Ngn));
    for above in ["100", "4294967296", "00099", "99999999999999999999999999"] {
        let query = BooksQuery::parse(&with_ids(&format!("outcomeId[]=$a&depth={above}"))).unwrap();
        assert_eq!(query.depth, 99, "{above}");
    }
    for (text, message) in [
        ("", "outcomeId[]: is required".to_owned()),
        ("marketId=$a", "outcomeId[]: is required".to_owned()),
        ("outcomeId[]=", "outcomeId[]: is required".to_owned()),
        ("outcomeId[]=$a,x", format!("outcomeId[]: {NOT_AN_ID}")),
        ("outcomeId[]=$a&depth=0", "depth: must be a whole number of at least 1".to_owned()),
        ("outcomeId[]=$a&depth=-1", "depth: must be a whole number of at least 1".to_owned()),
        ("outcomeId[]=$a&depth=1e2", "depth: must be a whole number of at least 1".to_owned()),
    ] {
        assert_eq!(refused(BooksQuery::parse(&with_ids(text))), message, "{text}");
    }
    let many = vec![A.to_string(); 51].join(",");
    let message = refused(BooksQuery::parse(&format!("outcomeId[]={many}")));
    assert_eq!(message, "outcomeId[]: must have at most 50 values");
}

#[test]
fn changes_take_a_sequence_a_limit_and_a_wait() {
    let query = ChangesQuery::parse("").unwrap();
    assert_eq!((query.after, query.limit, query.wait), (None, 1_000, 0));
    let query = MarketChangesQuery::parse("after=9223372036854775807&limit=1&wait=20&currency=ngn").unwrap();
    assert_eq!((query.page().after, query.limit, query.wait), (Some(i64::MAX.cast_unsigned()), 1, 20));
    assert_eq!(query.currency, Currency::Ngn);
    for wrong in ["after=9223372036854775808", "after=-1", "after=1e3", "limit=0", "limit=1001", "wait=21"] {
        let message = refused(ChangesQuery::parse(wrong));
        assert!(message.contains("must be a whole number"), "{wrong}: {message}");
    }
}

#[test]
fn price_history_and_candles_have_defaults() {
    let query = PriceHistoryQuery::parse("").unwrap();
    assert_eq!(
        (query.time_period, query.market_id, query.outcome),
        (HistoryPeriod::TwentyFourHours, vec![], None)
    );
    let query = PriceHistoryQuery::parse(&with_ids("timePeriod=1w&marketId[]=$a,$b&outcome=no")).unwrap();
    assert_eq!(
        (query.time_period, query.market_id, query.outcome),
        (HistoryPeriod::OneWeek, vec![A, B], Some(OutcomeSide::No))
    );
    let message = refused(PriceHistoryQuery::parse("timePeriod=2W"));
    assert_eq!(message, "timePeriod: must be 12H, 24H, 1W, 1M or 1Y");
    let query = CandlesQuery::parse("").unwrap();
    assert_eq!((query.interval, query.outcome), (CandleInterval::OneHour, OutcomeSide::Yes));
    let query =
        CandlesQuery::parse("interval=15m&from=2026-07-28T00:00:00Z&to=2026-07-29T00:00:00Z").unwrap();
    assert_eq!(query.interval, CandleInterval::FifteenMinutes);
    let message = refused(CandlesQuery::parse("from=2026-07-29T00:00:00Z&to=2026-07-28T00:00:00Z"));
    assert_eq!(message, "from: must not be after to");
}

#[test]
fn statistics_cover_whole_buckets_and_200_at_most() {
    let at = |text: &str| Timestamp::parse(text).expect("a time");
    let now = at("2026-07-28T10:30:00Z");
    let bounds = |query: &str| StatisticsQuery::parse(query).expect("a query").bounds(now);
    let hours = bounds("").expect("24 hours");
    assert_eq!(
        (hours.len(), hours[0], hours[24]),
        (25, at("2026-07-27T11:00:00Z"), at("2026-07-28T11:00:00Z"))
    );
    let days = bounds("interval=1d&currency=NGN").expect("30 days");
    assert_eq!((days.len(), days[0], days[30]), (31, at("2026-06-29T00:00:00Z"), at("2026-07-29T00:00:00Z")));
    let one = bounds("from=2026-07-28T10:59:59Z&to=2026-07-28T10:00:00Z").expect("one bucket");
    assert_eq!(one, [at("2026-07-28T10:00:00Z"), at("2026-07-28T11:00:00Z")]);
    assert_eq!(bounds("from=2026-07-20T03:00:00Z").map(|bounds| bounds.len()), Ok(201));
    for query in [
        "from=2026-07-20T02:59:59Z",
        "from=2026-07-28T11:00:00Z",
        "to=1969-01-01T00:00:00Z&from=2026-01-01T00:00:00Z",
    ] {
        assert!(bounds(query).is_err(), "{query}");
    }
    for query in ["interval=1m", "currency=EUR", "from=x"] {
        assert!(StatisticsQuery::parse(query).is_err(), "{query}");
    }
}

#[test]
fn prices_of_an_asset_take_a_span_in_order() {
    let query = AssetPricesQuery::parse("from=2026-07-28T10:00:00Z&to=2026-07-28T10:00:00Z").expect("a span");
    assert_eq!(query.from, query.to);
    assert_eq!(AssetPricesQuery::parse(""), Ok(AssetPricesQuery { from: None, to: None }));
    assert!(AssetPricesQuery::parse("from=2026-07-28T10:00:01Z&to=2026-07-28T10:00:00Z").is_err());
}

#[test]
fn the_ticker_needs_an_outcome() {
    let choice = |text: &str| TickerQuery::parse(&with_ids(text)).map(|query| query.choice());
    assert_eq!(choice("outcome=YES"), Ok(Some(OutcomeChoice::Side(OutcomeSide::Yes))));
    assert_eq!(choice("outcomeId=$a"), Ok(Some(OutcomeChoice::Id(A))));
    assert_eq!(choice("outcomeId=$a&outcome=no"), Ok(Some(OutcomeChoice::Id(A))));
    assert_eq!(refused(choice("")), "outcome or outcomeId: one of them is required");
    assert_eq!(refused(choice("outcome=MAYBE")), "outcome: must be YES or NO");
}

#[test]
fn activities_profit_and_lookup_are_read() {
    assert_eq!(ActivitiesQuery::parse("type=limits").unwrap().group, Some(ActivityGroup::Limits));
    assert_eq!(
        refused(ActivitiesQuery::parse("type=all")),
        "type: must be buys, sells, limits, payout or sets"
    );
    let query = PnlQuery::parse("timePeriod=this_week&breakdown=true&currency=NGN").unwrap();
    assert_eq!(
        (query.time_period, query.breakdown, query.currency),
        (PnlPeriod::ThisWeek, true, Currency::Ngn)
    );
    assert_eq!(PnlQuery::parse("").unwrap().time_period, PnlPeriod::All);
    assert_eq!(refused(PnlQuery::parse("start=2026-07-28T00:00:00Z")), "start and end: give both or neither");
    let backwards = "start=2026-07-29T00:00:00Z&end=2026-07-28T00:00:00Z";
    assert_eq!(refused(PnlQuery::parse(backwards)), "start: must not be after end");
    let lookup = |text: &str| UserLookupQuery::parse(&with_ids(text));
    assert_eq!(lookup("tag=Ada"), Ok(UserLookupQuery::Tag("Ada".to_owned())));
    assert_eq!(lookup("userId=$a"), Ok(UserLookupQuery::UserId(A)));
    assert_eq!(refused(lookup("")), "tag or userId: one of them is required");
    assert_eq!(refused(lookup("tag=a&userId=$a")), "tag and userId: give one of them, not both");
}

#[test]
fn sports_take_league_names_with_spaces() {
    let query = GamesQuery::parse("league=England%20-%20Premier+League&sport=soccer&team=bm-mci").unwrap();
    assert_eq!(query.league.as_deref(), Some("England - Premier League"));
    assert_eq!((query.sport.as_deref(), query.team.as_deref()), (Some("soccer"), Some("bm-mci")));
    assert_eq!((query.slug, query.ended), (None, None));
    let query = GamesQuery::parse("slug=cup-final&ended=false").unwrap();
    assert_eq!((query.slug.as_deref(), query.ended), (Some("cup-final"), Some(false)));
    assert_eq!(refused(GamesQuery::parse("ended=soon")), "ended: must be true or false");
    assert_eq!(TeamsQuery::parse("league=EPL").unwrap().league.as_deref(), Some("EPL"));
}

#[test]
fn malformed_encoding_is_refused() {
    for text in ["a=%", "a=%2", "a=%zz", "%=1", "a=%+1"] {
        assert_eq!(refused(RawQuery::parse(text)), "The query has malformed percent-encoding", "{text}");
    }
    for text in ["a=%ff", "a=%ed%a0%80", "%c3=1"] {
        assert_eq!(refused(RawQuery::parse(text)), "The query is not UTF-8", "{text}");
    }
    let many = "a=1&".repeat(257);
    assert_eq!(refused(RawQuery::parse(&many)), "The query has more than 256 parameters");
    let odd = RawQuery::parse("&&=&a&b==c&&").unwrap();
    assert_eq!((odd.text("a"), odd.text("b"), odd.text("")), (Ok(None), Ok(Some("=c")), Ok(None)));
}

proptest! {
    #[test]
    fn no_query_makes_a_reader_panic(text in "(page|size|outcomeId\\[\\]|fromDate|status|tag|[a-z%]{0,4})?=?[-+%0-9a-zA-Z:.&=,é]{0,60}") {
        let _ = (EventsQuery::parse(&text), TradesQuery::parse(&text), BooksQuery::parse(&text), UserLookupQuery::parse(&text));
    }

    #[test]
    fn encoded_text_is_decoded_again(value in "\\PC{1,30}") {
        let encoded: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let query = RawQuery::parse(&format!("key={encoded}")).unwrap();
        prop_assert_eq!(query.text("key"), Ok(Some(value.as_str())));
    }
}

#[test]
fn decimals_are_strings_only_if_the_address_says_so() {
    assert_eq!(NumbersQuery::parse("numbers=string&other=1").unwrap().numbers, Some(NumberFormat::String));
    assert_eq!(NumbersQuery::parse("numbers=").unwrap().numbers, None);
    assert_eq!(refused(NumbersQuery::parse("numbers=number")), "numbers: must be string");
    assert_eq!(refused(NumbersQuery::parse("numbers=string&numbers=string")), "numbers: is given twice");
}
