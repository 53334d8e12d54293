//! The picture of a card as SVG: name of the venue, title, outcomes with chance and price, sparkline, closing.

use std::fmt::Write;

use exchange::numbers::Ppm;
use exchange::time::Time;

use super::rendering::FAMILY;
use crate::view::shared_event::SharedEvent;
use crate::web::sharing::SITE;
use crate::web::sharing::embed::note;
use crate::web::sharing::markup::{Escaped, shortened};
use crate::web::sharing::tags::CARD_SIZE;

const LEFT: i64 = 72;
const TEXT_WIDTH: i64 = 1_056;
/// The box of the sparkline: left, top, width, height.
const LINE_BOX: (i64, i64, i64, i64) = (680, 350, 448, 180);
/// The smallest range of prices that fills the height: two points.
const RANGE_MIN: i64 = 20_000;
/// Sizes of the title from large to small, each with its most lines.
const TITLE_SIZES: [(i64, usize); 3] = [(60, 2), (48, 3), (38, 4)];
const LABEL_CHARACTERS_MAX: usize = 16;

pub(super) fn picture(event: &SharedEvent, prices: &[(Time, Ppm)]) -> String {
    let (width, height) = CARD_SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"{FAMILY}\" font-weight=\"bold\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fbfaf7\"/>\
         <rect width=\"{width}\" height=\"14\" fill=\"#f2b632\"/>"
    );
    text(&mut svg, (LEFT, 86), 28, "#845400", SITE);
    let (size, lines) = fitted(&event.title);
    for (place, line) in (0..).zip(&lines) {
        text(&mut svg, (LEFT, 100 + (place + 1) * (size + 10)), size, "#1d1b20", line);
    }
    for (place, outcome) in (0..).zip(&event.outcomes) {
        let y = 390 + place * 64;
        text(&mut svg, (LEFT, y), 44, if place == 0 { "#0b7357" } else { "#57534e" }, &outcome.chance);
        let label = format!("{} · {}", shortened(&outcome.label, LABEL_CHARACTERS_MAX), outcome.price);
        text(&mut svg, (LEFT + 150, y), 24, "#57534e", &label);
    }
    sparkline(&mut svg, prices);
    text(&mut svg, (LEFT, 596), 24, "#6b665f", &note(event));
    svg.push_str("</svg>");
    svg
}

fn text(svg: &mut String, (x, y): (i64, i64), size: i64, colour: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\">{}</text>",
        Escaped(text)
    );
}

/// The largest size in which the title fits, and its lines; the smallest size cuts the title.
fn fitted(title: &str) -> (i64, Vec<String>) {
    let width_at = |size| TEXT_WIDTH * 1_000 / size;
    for (size, lines_max) in TITLE_SIZES {
        let lines = wrap(title, width_at(size));
        if lines.len() <= lines_max {
            return (size, lines);
        }
    }
    let (size, lines_max) = TITLE_SIZES[TITLE_SIZES.len() - 1];
    let mut lines = wrap(title, width_at(size));
    lines.truncate(lines_max);
    if let Some(last) = lines.last_mut() {
        while width_of(last) + width('…') > width_at(size) && last.pop().is_some() {}
        last.push('…');
    }
    (size, lines)
}

/// Breaks a text between words, and inside words that are wider than a line. Widths are thousandths of the font's size.
fn wrap(text: &str, line_width: i64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(line) + width(' ') + width_of(word) <= line_width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
        while let Some(line) = lines.last_mut().filter(|line| width_of(line) > line_width) {
            let mut end = 0;
            let mut used = 0;
            for (at, character) in line.char_indices() {
                used += width(character);
                if used > line_width && at > 0 {
                    break;
                }
                end = at + character.len_utf8();
            }
            let rest = line.split_off(end);
            if rest.is_empty() {
                break;
            }
            lines.push(rest);
        }
    }
    lines
}

fn width_of(text: &str) -> i64 {
    text.chars().map(width).sum()
}

/// The advance of a character in DejaVu Sans Bold, in thousandths of the font's size, rounded up by group.
const fn width(character: char) -> i64 {
    match character {
        ' ' | 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | 'I' => 400,
        'f' | 'r' | 't' | '-' | '(' | ')' | '[' | ']' | '/' | '!' | '"' => 530,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' | '—' => 1_110,
        '\0'..='\u{7f}' if !character.is_ascii_lowercase() && !character.is_ascii_digit() => 880,
        '\0'..='\u{7f}' => 720,
        '\u{80}'..'\u{2e80}' => 880,
        _ => 1_110,
    }
}

/// A line through the prices by time; none without two of them.
fn sparkline(svg: &mut String, prices: &[(Time, Ppm)]) {
    let [(first, opening), .., (last, now)] = prices else { return };
    let (left, top, width, height) = LINE_BOX;
    let units = || prices.iter().map(|(_, price)| price.units());
    let (low, high) = (units().min().unwrap_or_default(), units().max().unwrap_or_default());
    let range = (high - low).max(RANGE_MIN);
    let middle = i64::midpoint(low, high);
    let span = (last.micros() - first.micros()).max(1);
    let place = |(at, price): &(Time, Ppm)| {
        let past = i128::from(at.micros() - first.micros()) * i128::from(width) / i128::from(span);
        let x = left + i64::try_from(past).unwrap_or_default();
        let y = top + height / 2 - (price.units() - middle) * height / range;
        format!("{x},{y}")
    };
    let points: Vec<String> = prices.iter().map(place).collect();
    let colour = if now >= opening { "#0b7357" } else { "#b3233f" };
    let _ = write!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"6\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\"/>",
        points.join(" ")
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_as_large_as_it_fits_and_a_long_one_is_cut() {
        assert_eq!(fitted("Will it rain?"), (60, vec!["Will it rain?".to_owned()]));
        for title in ["word ".repeat(80), "w".repeat(300), "₦".repeat(300)] {
            let (size, lines) = fitted(&title);
            assert_eq!((size, lines.len()), (38, 4), "{title}");
            assert!(lines.iter().all(|line| width_of(line) * size <= TEXT_WIDTH * 1_000), "{lines:?}");
            assert!(lines.last().is_some_and(|line| line.ends_with('…')), "{lines:?}");
        }
        assert_eq!(fitted("").1, Vec::<String>::new());
    }

    #[test]
    fn words_stay_whole_and_nothing_of_a_text_is_lost() {
        let text = "Who wins the election in the largest state of them all this year?";
        let lines = wrap(text, 12_000);
        assert!(lines.len() > 2 && lines.iter().all(|line| width_of(line) <= 12_000), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap(&"x".repeat(50), 7_200).concat(), "x".repeat(50));
    }

    #[test]
    fn a_line_stays_in_its_box() {
        let prices: Vec<(Time, Ppm)> =
            (0..100).map(|hour| (Time::from_seconds(hour * 3_600), Ppm::new(hour * hour * 100))).collect();
        let mut svg = String::new();
        sparkline(&mut svg, &prices);
        let points = svg.split('"').nth(1).expect("points");
        let (left, top, width, height) = LINE_BOX;
        for point in points.split(' ') {
            let (x, y) = point.split_once(',').expect("a point");
            let (x, y): (i64, i64) = (x.parse().expect("a number"), y.parse().expect("a number"));
            assert!((left..=left + width).contains(&x) && (top..=top + height).contains(&y), "{point}");
        }
        let mut none = String::new();
        sparkline(&mut none, &prices[..1]);
        sparkline(&mut none, &[]);
        assert_eq!(none, "");
    }
}
