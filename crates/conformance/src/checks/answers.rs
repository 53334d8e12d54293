//! Rules about all answers of the run: JSON, the envelope of errors, plain numbers.

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::probe::Probe;
use crate::shapes;
use crate::wire::Answer;

/// Digits after the point above which a number is the trace of a float.
const FRACTION_MAX: usize = 12;

const fn overall(
    id: &'static str,
    section: &'static str,
    source: Source,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { id, section, source, title, endpoints: &[], needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    overall(
        "answers.json",
        "Specification, first section",
        Source::Specification,
        "Every body is JSON.",
        is_json,
    ),
    overall(
        "answers.errors",
        "Errors: most failures",
        Source::PublicClients,
        "Every refusal has error, message and statusCode.",
        errors,
    ),
    overall(
        "answers.no_failure",
        "Errors",
        Source::Specification,
        "No answer is a failure of the server.",
        no_failure,
    ),
    overall(
        "answers.numbers",
        "Resources: Conventions",
        Source::PublicClients,
        "Numbers have no exponent and no trace of floats.",
        numbers,
    ),
];

/// The answers of the API, without those of other documents.
fn answers(probe: &Probe<'_>) -> Result<Vec<Answer>, Stop> {
    let mut seen = probe.wire.seen();
    seen.retain(|answer| {
        let is_of_the_api = answer.request.contains(" /v1/") || answer.request.ends_with(" /health");
        is_of_the_api && !answer.request.contains("no-such-route-of-any-server")
    });
    if seen.is_empty() { Err(Stop::not_tried("no request was sent")) } else { Ok(seen) }
}

fn is_json(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for answer in &answers(probe)? {
        // 204 has no body.
        let is_json = answer.json.is_some() || (answer.status == 204 && answer.body.is_empty());
        probe.expect(is_json, &answer.request, "a JSON body", answer.shown());
    }
    Ok(())
}

fn errors(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for answer in answers(probe)?.iter().filter(|answer| answer.status >= 400) {
        match answer.status {
            429 => probe.shape(answer, &shapes::RATE_LIMITED),
            status => {
                probe.shape(answer, &shapes::ERROR);
                let place = answer.request.as_str();
                probe.number_is(place, answer.value(), "statusCode", Decimal::whole(i64::from(status)));
            }
        }
    }
    Ok(())
}

fn no_failure(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for answer in answers(probe)?.iter().filter(|answer| answer.status >= 500) {
        probe.differ(&answer.request, "a status below 500", answer.shown());
    }
    Ok(())
}

fn numbers(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for answer in answers(probe)? {
        let mut strange = Vec::new();
        answer.value().numbers("", &mut |path, literal| {
            let fraction = literal.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            if literal.contains(['e', 'E']) || fraction > FRACTION_MAX {
                strange.push((path.to_owned(), literal.to_owned()));
            }
        });
        for (path, literal) in strange {
            probe.differ(format!("{}{path}", answer.request), "plain digits, exact", literal);
        }
    }
    Ok(())
}
