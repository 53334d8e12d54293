//! A fixed set of reads, answered in the bytes of the API.

use api::json::to_vec as bytes;
use api::query::{CandlesQuery, OrdersQuery, PageQuery, PnlQuery, PriceHistoryQuery, TradesQuery};
use api::timestamp::Timestamp;
use exchange::id::UserId;
use exchange::index::UserIndex;
use exchange::numbers::Currency;
use exchange::time::Time;
use server::event_lists::EventFilter;
use server::history::StatisticsSpan;
use server::view;
use server::view::orders::{OrdersSource, seek};
use server::view::pages::window;

use crate::history::activities::GROUPS;
use crate::history::trial::Trial;

const SIZE: u32 = 100;
const STATUSES: [&str; 5] = ["", "&status=filled", "&status=cancelled", "&status=expired", "&status=open"];

/// The bytes of every answer, in a fixed order.
pub fn answers(trial: &mut Trial<'_>) -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    let exchange = trial.exchange;
    trades(trial, &mut answers);
    let users: Vec<_> = exchange.directory().users().map(|(index, user)| (index, user.id)).collect();
    for (index, user) in users {
        orders(trial, index, user, &mut answers);
        activities(trial, user, &mut answers);
        results(trial, user, &mut answers);
    }
    prices(trial, &mut answers);
    retired(trial, &mut answers);
    statistics(trial, &mut answers);
    answers
}

fn trades(trial: &mut Trial<'_>, answers: &mut Vec<Vec<u8>>) {
    let exchange = trial.exchange;
    let markets = exchange.catalogue().markets().map(|(_, market)| format!("marketId={}", market.id));
    let users = exchange.directory().users().map(|(_, user)| format!("userId={}", user.id));
    for filter in std::iter::once(String::new()).chain(markets).chain(users) {
        for page in 1.. {
            let query =
                TradesQuery::parse(&format!("engine=ALL&{filter}&page={page}&size={SIZE}")).expect("words");
            let filter = view::trade::filter(&trial.known(), &query).expect("what is named is there");
            let rows = window(query.pages(), None).expect("no cursor");
            let page = trial.kept.ask(exchange, |history| history.trades(filter, rows));
            let is_last = page.next.is_none();
            answers.push(bytes(&view::trade::trades(page, query.pages())));
            if is_last {
                break;
            }
        }
    }
}

fn orders(trial: &mut Trial<'_>, index: UserIndex, user: UserId, answers: &mut Vec<Vec<u8>>) {
    let exchange = trial.exchange;
    for status in STATUSES {
        let mut after = String::new();
        loop {
            let query = OrdersQuery::parse(&format!("size={SIZE}{status}{after}")).expect("words");
            let page = match seek(&trial.known(), index, &query).expect("a cursor is a number") {
                OrdersSource::Memory(page) => page,
                OrdersSource::History(question) => {
                    let page = trial.kept.ask(exchange, |history| history.orders(question));
                    let page = trial.kept.with_records(exchange, user, page);
                    view::orders::reported(&trial.known(), page)
                }
            };
            answers.push(bytes(&view::orders(&page, &query)));
            match page.next {
                Some(cursor) => after = format!("&after={cursor}"),
                None => break,
            }
        }
    }
}

fn activities(trial: &mut Trial<'_>, user: UserId, answers: &mut Vec<Vec<u8>>) {
    let exchange = trial.exchange;
    for group in GROUPS {
        for page in 1.. {
            let pages = PageQuery { page, size: SIZE };
            let rows = window(pages, None).expect("no cursor");
            let page = trial.kept.ask(exchange, |history| history.activities(user, group, rows));
            let page = trial.kept.with_orders(exchange, user, page);
            answers.push(bytes(&view::activity::activities(&trial.known(), &page, pages)));
            if page.next.is_none() {
                break;
            }
        }
    }
}

fn results(trial: &mut Trial<'_>, user: UserId, answers: &mut Vec<Vec<u8>>) {
    let exchange = trial.exchange;
    for period in ["12H", "24H", "THIS_WEEK", "ALL"] {
        for currency in ["USD", "NGN"] {
            let words = format!("timePeriod={period}&currency={currency}&breakdown=true");
            let query = PnlQuery::parse(&words).expect("words");
            let span = view::pnl::span(user, &query, Timestamp::from_micros(exchange.now().micros()));
            let found = trial.kept.ask(exchange, |history| history.results(span, true));
            let events: Vec<_> = found.events.iter().map(|result| result.event).collect();
            let titles = view::pnl::titles(&trial.known(), &events);
            answers.push(bytes(&view::pnl::pnl(&titles, &found, &query)));
        }
    }
}

/// Every retired event as the API shows it, and all events in one list.
fn retired(trial: &mut Trial<'_>, answers: &mut Vec<Vec<u8>>) {
    let exchange = trial.exchange;
    let found =
        trial.kept.ask(exchange, |history| history.retired_matching(EventFilter::default(), u32::MAX));
    let serials = found.events().into_iter().rev().map(u64::from).collect();
    for record in trial.kept.ask(exchange, |history| history.retired_by_serial(serials)) {
        let shelf = exchange.shelve([&*record]);
        let index = shelf.catalogue().find_event(record.event.id).expect("it is on the shelf");
        answers.push(bytes(&view::event::event(&shelf, index, Currency::Usd, None)));
        answers.push(bytes(&view::resolution::resolution(&shelf, index)));
    }
}

/// Totals and results of pools of the last hundred hours.
fn statistics(trial: &mut Trial<'_>, answers: &mut Vec<Vec<u8>>) {
    let last = trial.exchange.now().micros().div_euclid(3_600_000_000);
    let bounds: Vec<Time> =
        (last - 99..=last + 1).map(|hour| Time::from_micros(hour * 3_600_000_000)).collect();
    for currency in Currency::ALL {
        let span = StatisticsSpan { currency, bounds: bounds.clone() };
        let found = trial.kept.ask(trial.exchange, |history| history.statistics(span));
        answers.push(format!("{found:?}").into_bytes());
    }
}

fn prices(trial: &mut Trial<'_>, answers: &mut Vec<Vec<u8>>) {
    let exchange = trial.exchange;
    for (_, market) in exchange.catalogue().markets() {
        for interval in ["1m", "5m", "15m", "1h", "6h", "1d"] {
            for side in ["YES", "NO"] {
                let query = CandlesQuery::parse(&format!("interval={interval}&outcome={side}"));
                let query = query.expect("words");
                let range = view::candle::range(market.id, &query, exchange.now());
                let found = trial.kept.ask(exchange, |history| history.candles(vec![range]));
                answers.push(bytes(&view::candle::candles(market.id, &query, &found[0])));
            }
        }
    }
    for (event, _) in exchange.catalogue().events() {
        for period in ["12H", "24H", "1W", "1M", "1Y"] {
            let query = PriceHistoryQuery::parse(&format!("timePeriod={period}")).expect("words");
            let question = view::price_history::plan(exchange, event, &query, exchange.now());
            let question = question.expect("all markets of an event are the event's");
            let found = trial.kept.ask(exchange, |history| history.candles(question.ranges.clone()));
            answers.push(bytes(&question.answer(&found, &query)));
        }
    }
}
