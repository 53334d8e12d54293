//! Trades, books, tickers and price history; and the rules of pages, which other areas use too.

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, unknown_id};
use crate::shape::compare;
use crate::shapes;
use crate::wire::Answer;
use crate::world::rows;

const SECTION: &str = "Endpoints: Market data";
const TRADES: &[&str] = &["GET /v1/pm/trades"];
const BOOKS: &[&str] = &["GET /v1/pm/books"];
const TICKER: &[&str] = &["GET /v1/pm/markets/{marketId}/ticker"];
const HISTORY: &[&str] = &["GET /v1/pm/events/{eventId}/price-history"];

const fn data(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let source = Source::Specification;
    Check { id, section: SECTION, source, title, endpoints, needs: Needs::Nothing, run }
}

/// A rule about a resource that the specification does not show.
const fn hidden(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let (section, source) = ("Endpoints without detailed shape", Source::PublicClients);
    Check { section, source, ..data(id, endpoints, title, run) }
}

pub(super) const CHECKS: &[Check] = &[
    data("trades.list", TRADES, "Trades come newest first, 50 a page by default.", trades),
    data(
        "trades.pages",
        TRADES,
        "Pages of trades have the requested size and do not repeat rows.",
        trade_pages,
    ),
    data("trades.page_bound", TRADES, "A page of trades has at most 100 rows.", trade_bound),
    data(
        "trades.filters",
        TRADES,
        "The filters marketId, fromDate and toDate keep the trades that fit, and unknown ids find none.",
        trade_filters,
    ),
    Check {
        source: Source::PublicClients,
        ..data(
            "trades.fields",
            TRADES,
            "A trade names both sides: users, orders, outcomes, prices.",
            trade_fields,
        )
    },
    Check {
        source: Source::PublicClients,
        ..data("trades.id", TRADES, "The filter id finds one trade.", trade_by_id)
    },
    hidden(
        "books.levels",
        BOOKS,
        "Books have bids from high to low, asks from low to high, and totals.",
        books,
    ),
    hidden("books.depth", BOOKS, "The parameter depth bounds the levels of each side.", depth),
    hidden(
        "books.pool",
        BOOKS,
        "The books of a pool's outcome are 200: a list, or a book without levels.",
        pool_book,
    ),
    hidden("books.missing", BOOKS, "Books without an outcomeId are refused.", books_missing),
    data("ticker.outcome", TICKER, "A ticker is found by outcome and by outcomeId.", ticker),
    data("ticker.missing", TICKER, "A ticker without an outcome is refused.", ticker_missing),
    data("ticker.unknown", TICKER, "The ticker of an unknown market is 404.", ticker_unknown),
    hidden("history.points", HISTORY, "A price history has points of the event's markets.", history),
];

/// Compares two pages of two rows: sizes, numbers, no row twice. `path` ends with `?` or `&`.
pub(super) fn compare_pages(probe: &mut Probe<'_>, path: &str, name: &str) -> Result<(), Stop> {
    let first = probe.get(&format!("{path}page=1&size=2"))?;
    probe.need(&first, 200)?;
    let value = first.value();
    compare(
        &shapes::PAGINATION,
        value.at("pagination").unwrap_or(&Json::Null),
        "pagination",
        &mut probe.differences,
    );
    probe.number_is(&first.request, value, "pagination/page", Decimal::ONE);
    probe.number_is(&first.request, value, "pagination/size", Decimal::whole(2));
    let total = value.decimal("pagination/totalCount").unwrap_or_default();
    let count = Decimal::whole(rows(value, name).len() as i64);
    let expected = total.min(Decimal::whole(2));
    probe.expect(count == expected, &first.request, format!("{expected} rows"), format!("{count} rows"));
    if total > Decimal::ZERO {
        let pages = total.divided_by(Decimal::whole(2)).unwrap_or_default().rounded_up(Decimal::ONE);
        probe.number_is(&first.request, value, "pagination/lastPage", pages);
    }
    let second = probe.get(&format!("{path}page=2&size=2"))?;
    probe.need(&second, 200)?;
    let ids: Vec<_> = rows(value, name).iter().filter_map(|row| row.text("id")).collect();
    for id in rows(second.value(), name).iter().filter_map(|row| row.text("id")) {
        probe.expect(!ids.contains(&id), &second.request, "rows that page 1 does not have", id);
    }
    Ok(())
}

/// Asks for 101 rows, which are refused or cut off. A server with fewer rows that answers 200 shows nothing.
pub(super) fn compare_bound(probe: &mut Probe<'_>, path: &str, name: &str) -> Result<(), Stop> {
    let answer = probe.get(&format!("{path}size=101"))?;
    if answer.status != 200 {
        probe.refused(&answer, &[400, 422], None);
        return Ok(());
    }
    let count = rows(answer.value(), name).len();
    if count > 100 {
        probe.differ(&answer.request, "at most 100 rows, or status 400", count.to_string());
        return Ok(());
    }
    let hundred = Decimal::whole(100);
    let is_cut = answer.value().decimal("pagination/size").is_some_and(|size| size <= hundred);
    let has_more = answer.value().decimal("pagination/totalCount").is_some_and(|total| total > hundred);
    if is_cut || has_more {
        return Ok(());
    }
    Err(Stop::not_tried("the server has no more than 100 rows, and does not say that the page is smaller"))
}

fn trades(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/v1/pm/trades")?;
    probe.succeeded(&answer, &shapes::TRADES)?;
    probe.number_is(&answer.request, answer.value(), "pagination/size", Decimal::whole(50));
    let times: Vec<jiff::Timestamp> = answer
        .value()
        .list("data")
        .iter()
        .filter_map(|trade| trade.text("createdAt").and_then(|time| time.parse().ok()))
        .collect();
    let is_sorted = times.windows(2).all(|pair| pair[0] >= pair[1]);
    probe.expect(is_sorted, &answer.request, "the newest first", "another order");
    Ok(())
}

fn trade_pages(probe: &mut Probe<'_>) -> Result<(), Stop> {
    // A trade in between moves rows to the next page, so only the past is read.
    let until = jiff::Timestamp::now();
    compare_pages(probe, &format!("/v1/pm/trades?toDate={until}&"), "data")
}

fn trade_bound(probe: &mut Probe<'_>) -> Result<(), Stop> {
    compare_bound(probe, "/v1/pm/trades?", "data")
}

fn trade_filters(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let all = probe.get("/v1/pm/trades")?;
    probe.need(&all, 200)?;
    let (Some(id), Some(market), Some(time)) = (
        all.value().text("data/0/id"),
        all.value().text("data/0/marketId"),
        all.value().text("data/0/createdAt"),
    ) else {
        return Err(Stop::not_tried("the server has no trades"));
    };
    for name in ["orderId", "marketId", "outcomeId", "userId"] {
        compare_none(probe, &format!("{name}={}", unknown_id()))?;
    }
    compare_none(probe, "fromDate=2999-01-01T00:00:00Z")?;
    compare_none(probe, "toDate=2001-01-01T00:00:00Z")?;
    let filtered = probe.get(&format!("/v1/pm/trades?marketId={market}&size=100"))?;
    probe.succeeded(&filtered, &shapes::TRADES)?;
    compare_has(probe, &filtered, id);
    for trade in filtered.value().list("data") {
        probe.text_is(&filtered.request, trade, "marketId", market);
    }
    // A time may end in an offset, whose plus sign needs its escape.
    let time = time.replace('+', "%2B");
    let since = probe.get(&format!("/v1/pm/trades?marketId={market}&fromDate={time}&size=100"))?;
    probe.succeeded(&since, &shapes::TRADES)?;
    compare_has(probe, &since, id);
    let until = probe.get(&format!("/v1/pm/trades?marketId={market}&toDate={time}&size=100"))?;
    probe.succeeded(&until, &shapes::TRADES)?;
    compare_has(probe, &until, id);
    Ok(())
}

/// A filter that no trade fits.
fn compare_none(probe: &mut Probe<'_>, query: &str) -> Result<(), Stop> {
    let answer = probe.get(&format!("/v1/pm/trades?{query}"))?;
    probe.succeeded(&answer, &shapes::TRADES)?;
    probe.number_is(&answer.request, answer.value(), "pagination/totalCount", Decimal::ZERO);
    Ok(())
}

fn compare_has(probe: &mut Probe<'_>, answer: &Answer, id: &str) {
    let has = answer.value().list("data").iter().any(|trade| trade.text("id") == Some(id));
    probe.expect(has, &answer.request, format!("the trade {id}"), "it is not listed");
}

fn trade_fields(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/v1/pm/trades")?;
    probe.succeeded(&answer, &shapes::FULL_TRADES)?;
    match answer.value().list("data") {
        [] => Err(Stop::not_tried("the server has no trades")),
        _ => Ok(()),
    }
}

fn trade_by_id(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let all = probe.get("/v1/pm/trades?size=1")?;
    let Some(id) = all.value().text("data/0/id") else {
        return Err(Stop::not_tried("the server has no trades"));
    };
    let one = probe.get(&format!("/v1/pm/trades?id={id}"))?;
    probe.succeeded(&one, &shapes::TRADES)?;
    probe.text_is(&one.request, one.value(), "data/0/id", id);
    probe.number_is(&one.request, one.value(), "pagination/totalCount", Decimal::ONE);
    Ok(())
}

fn books(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book()?;
    let [one, two] = &market.outcomes;
    let answer = probe.get(&format!("/v1/pm/books?outcomeId[]={one}&outcomeId[]={two}&currency=USD"))?;
    probe.succeeded(&answer, &shapes::BOOKS)?;
    let count = answer.value().list("").len();
    probe.expect(count == 2, &answer.request, "a book for each outcome", count.to_string());
    for book in answer.value().list("") {
        let prices = |side: &str| -> Vec<Decimal> {
            book.list(side).iter().filter_map(|level| level.decimal("price")).collect()
        };
        let is_sorted = prices("bids").windows(2).all(|pair| pair[0] > pair[1])
            && prices("asks").windows(2).all(|pair| pair[0] < pair[1]);
        probe.expect(is_sorted, &answer.request, "the best level first", book.shown());
        for level in book.list("bids").iter().chain(book.list("asks")) {
            let (price, quantity) = (level.decimal("price"), level.decimal("quantity"));
            let total = price.unwrap_or_default() * quantity.unwrap_or_default();
            let seen = level.decimal("total").unwrap_or_default();
            let holds = seen.distance(total) <= Decimal::millionths(1);
            probe.expect(holds, format!("{}: total", answer.request), total.to_string(), seen.to_string());
        }
    }
    Ok(())
}

fn depth(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book()?;
    let answer = probe.get(&format!("/v1/pm/books?outcomeId[]={}&depth=1", market.outcomes[0]))?;
    probe.succeeded(&answer, &shapes::BOOKS)?;
    for side in ["0/bids", "0/asks"] {
        let count = answer.value().list(side).len();
        probe.expect(count <= 1, format!("{}: {side}", answer.request), "at most 1 level", count.to_string());
    }
    Ok(())
}

fn pool_book(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.pool()?;
    let answer = probe.get(&format!("/v1/pm/books?outcomeId[]={}", market.outcomes[0]))?;
    probe.succeeded(&answer, &shapes::BOOKS)?;
    for book in answer.value().list("") {
        let levels = book.list("bids").len() + book.list("asks").len();
        probe.expect(levels == 0, &answer.request, "no levels", format!("{levels} levels"));
    }
    Ok(())
}

fn books_missing(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/v1/pm/books")?;
    probe.refused(&answer, &[400, 422], None);
    Ok(())
}

fn ticker(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book()?;
    let base = format!("/v1/pm/markets/{}/ticker", market.id);
    for query in ["outcome=YES".to_owned(), format!("outcomeId={}", market.outcomes[0])] {
        let answer = probe.get(&format!("{base}?{query}"))?;
        probe.succeeded(&answer, &shapes::TICKER)?;
        probe.text_is(&answer.request, answer.value(), "marketId", &market.id);
        probe.text_is(&answer.request, answer.value(), "outcome", "YES");
    }
    let other = probe.get(&format!("{base}?outcomeId={}", market.outcomes[1]))?;
    probe.succeeded(&other, &shapes::TICKER)?;
    probe.text_is(&other.request, other.value(), "outcome", "NO");
    Ok(())
}

fn ticker_missing(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book()?;
    let answer = probe.get(&format!("/v1/pm/markets/{}/ticker", market.id))?;
    probe.refused(&answer, &[400, 422], None);
    Ok(())
}

fn ticker_unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get(&format!("/v1/pm/markets/{}/ticker?outcome=YES", unknown_id()))?;
    probe.refused(&answer, &[404], Some("not_found"));
    Ok(())
}

fn history(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let answer = probe.get(&format!("/v1/pm/events/{}/price-history?timePeriod=1W", market.event))?;
    probe.need(&answer, 200)?;
    let value = answer.value();
    if value.at("markets").is_some() {
        probe.shape(&answer, &shapes::PRICE_HISTORY);
    }
    if let Some(points) = value.at(&market.id) {
        let place = format!("{}.{}", answer.request, market.id);
        compare(&shapes::PRICE_POINTS, points, &place, &mut probe.differences);
    }
    let has_one = value.at("markets").is_some() || value.at(&market.id).is_some();
    probe.expect(has_one, &answer.request, "a list under the market's id, or a list markets", value.shown());
    Ok(())
}
