//! Trades, books, tickers and price history; and the rules of pages, which other areas use too.

use crate::check::{Check, Needs, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, unknown_id};
use crate::shape::compare;
use crate::shapes;

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
    Check { id, section: SECTION, title, endpoints, needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    data("trades.list", TRADES, "Trades come newest first, 50 a page by default.", trades),
    data("trades.pages", TRADES, "Pages of trades have the size that was asked for.", trade_pages),
    data("trades.page_bound", TRADES, "A page of trades has at most 100 rows.", trade_bound),
    data(
        "trades.filters",
        TRADES,
        "The filters marketId, orderId and fromDate leave out other trades.",
        trade_filters,
    ),
    data(
        "books.levels",
        BOOKS,
        "Books have bids from high to low, asks from low to high, and totals.",
        books,
    ),
    data("books.depth", BOOKS, "The parameter depth bounds the levels of each side.", depth),
    data("books.pool", BOOKS, "An outcome of a pool has no book, and that is no error.", pool_book),
    data("books.missing", BOOKS, "Books without an outcomeId are refused.", books_missing),
    data("ticker.outcome", TICKER, "A ticker is found by outcome and by outcomeId.", ticker),
    data("ticker.missing", TICKER, "A ticker without an outcome is refused.", ticker_missing),
    data("ticker.unknown", TICKER, "The ticker of an unknown market is 404.", ticker_unknown),
    data("history.points", HISTORY, "A price history has points of the event's markets.", history),
];

/// Two pages of two rows: sizes, numbers, no row twice. `path` ends with `?` or `&`.
pub(super) fn compare_pages(probe: &mut Probe<'_>, path: &str, rows: &str) -> Result<(), Stop> {
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
    let count = Decimal::whole(value.list(rows).len() as i64);
    let expected = total.min(Decimal::whole(2));
    probe.expect(count == expected, &first.request, format!("{expected} rows"), format!("{count} rows"));
    if total > Decimal::ZERO {
        let pages = total.divided_by(Decimal::whole(2)).unwrap_or_default().rounded_up(Decimal::ONE);
        probe.number_is(&first.request, value, "pagination/lastPage", pages);
    }
    let second = probe.get(&format!("{path}page=2&size=2"))?;
    probe.need(&second, 200)?;
    let ids: Vec<_> = value.list(rows).iter().filter_map(|row| row.text("id")).collect();
    for id in second.value().list(rows).iter().filter_map(|row| row.text("id")) {
        probe.expect(!ids.contains(&id), &second.request, "rows that page 1 does not have", id);
    }
    Ok(())
}

/// More than 100 rows are refused or cut off.
pub(super) fn compare_bound(probe: &mut Probe<'_>, path: &str, rows: &str) -> Result<(), Stop> {
    let answer = probe.get(&format!("{path}size=101"))?;
    if answer.status == 400 {
        probe.refused(&answer, &[400], Some("bad_request"));
        return Ok(());
    }
    probe.need(&answer, 200)?;
    let count = answer.value().list(rows).len();
    probe.expect(count <= 100, &answer.request, "at most 100 rows, or status 400", count.to_string());
    Ok(())
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
    let nothing = probe.get(&format!("/v1/pm/trades?orderId={}", unknown_id()))?;
    probe.succeeded(&nothing, &shapes::TRADES)?;
    probe.number_is(&nothing.request, nothing.value(), "pagination/totalCount", Decimal::ZERO);
    let future = probe.get("/v1/pm/trades?fromDate=2999-01-01T00:00:00Z")?;
    probe.succeeded(&future, &shapes::TRADES)?;
    probe.number_is(&future.request, future.value(), "pagination/totalCount", Decimal::ZERO);
    let Some(market) = all.value().text("data/0/marketId") else {
        return Err(Stop::not_tried("the server has no trades"));
    };
    let filtered = probe.get(&format!("/v1/pm/trades?marketId={market}"))?;
    probe.succeeded(&filtered, &shapes::TRADES)?;
    for trade in filtered.value().list("data") {
        probe.text_is(&filtered.request, trade, "marketId", market);
    }
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
    probe.succeeded(&answer, &shapes::BOOKS)
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
