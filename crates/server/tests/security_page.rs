//! docs/security.md against the code: every limit in its table has the figure that the code enforces, and no limit is missing.

use std::collections::BTreeMap;

use server::app::{Limits, OPERATOR_NETWORK_RATE, OPERATOR_RATE, Rates};
use server::http::charging::ROWS_PER_TOKEN;
use server::limits::Rate;

const PAGE: &str = include_str!("../../../docs/security.md");

/// `20/s`, or `60, then 2/s` where a bucket holds more than a second's worth.
fn rate(rate: Rate) -> String {
    let Rate { per_second, capacity } = rate;
    if capacity == per_second {
        format!("{per_second}/s")
    } else {
        format!("{capacity}, then {per_second}/s")
    }
}

/// Every limit with its figure, as the code has it.
fn enforced() -> Vec<(&'static str, String)> {
    let limits = Limits::new(Rates::default());
    vec![
        ("`public`", rate(limits.public.rate())),
        ("`files`", rate(limits.files.rate())),
        ("`proofs`", rate(limits.proofs.rate())),
        ("`read`", rate(limits.read.rate())),
        ("`write`", rate(limits.write.rate())),
        ("`cancel`", rate(limits.cancel.rate())),
        ("rows of a public answer", format!("{ROWS_PER_TOKEN} for each token")),
        ("`operators`", rate(OPERATOR_RATE)),
        ("`operators`, unknown token", rate(OPERATOR_NETWORK_RATE)),
    ]
}

/// The first two columns of the page's table of limits.
fn documented() -> BTreeMap<String, String> {
    let (_, table) = PAGE.split_once("## The limits\n").expect("the section");
    let rows = table.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let (name, figure) = (cells.next().expect("a limit"), cells.next().expect("a figure"));
        (name.to_owned(), figure.to_owned())
    })
    .collect()
}

#[test]
fn the_table_of_limits_has_every_limit_with_the_figure_that_is_enforced() {
    let enforced: BTreeMap<_, _> =
        enforced().into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect();
    assert_eq!(documented(), enforced);
}
