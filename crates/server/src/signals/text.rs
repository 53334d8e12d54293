//! Writes metrics in the Prometheus text format. All numbers are integers or exact decimals.

use std::fmt::Write;

use super::histogram::Counts;

/// The text of a scrape.
#[derive(Debug, Default)]
pub struct MetricsText {
    text: String,
}

/// Labels of a sample, in order.
pub type Labels<'a> = &'a [(&'a str, &'a str)];

impl MetricsText {
    /// Begins a metric. Its samples follow.
    pub fn begin(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    pub fn sample(&mut self, name: &str, labels: Labels<'_>, value: impl std::fmt::Display) {
        self.text.push_str(name);
        self.push_labels(labels, None);
        let _ = writeln!(self.text, " {value}");
    }

    /// A metric with one sample.
    pub fn single(&mut self, name: &str, kind: &str, help: &str, value: impl std::fmt::Display) {
        self.begin(name, kind, help);
        self.sample(name, &[], value);
    }

    /// The samples of a histogram whose values are in units of 10⁻⁶ (`is_scaled`) or whole.
    pub fn histogram<const N: usize>(
        &mut self,
        name: &str,
        labels: Labels<'_>,
        counts: &Counts<N>,
        is_scaled: bool,
    ) {
        let shown = |value: u64| if is_scaled { decimal(value) } else { value.to_string() };
        let mut below = 0;
        for (bucket, bound) in counts.buckets.iter().zip(counts.bounds) {
            below += bucket;
            self.bucket(name, labels, &shown(*bound), below);
        }
        self.bucket(name, labels, "+Inf", counts.count());
        self.sample(&format!("{name}_sum"), labels, shown(counts.sum));
        self.sample(&format!("{name}_count"), labels, counts.count());
    }

    fn bucket(&mut self, name: &str, labels: Labels<'_>, bound: &str, count: u64) {
        let _ = write!(self.text, "{name}_bucket");
        self.push_labels(labels, Some(bound));
        let _ = writeln!(self.text, " {count}");
    }

    fn push_labels(&mut self, labels: Labels<'_>, bound: Option<&str>) {
        let all = labels.iter().copied().chain(bound.map(|bound| ("le", bound)));
        let mut separator = '{';
        for (name, value) in all {
            self.text.push(separator);
            let _ = write!(self.text, "{name}=\"{}\"", escaped(value));
            separator = ',';
        }
        if separator == ',' {
            self.text.push('}');
        }
    }

    /// The text, to append samples of another writer.
    pub fn text_mut(&mut self) -> &mut String {
        &mut self.text
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Millionths as a decimal, without zeros at the end: 2500 is 0.0025.
pub fn decimal(millionths: u64) -> String {
    let (whole, part) = (millionths / 1_000_000, millionths % 1_000_000);
    if part == 0 {
        return whole.to_string();
    }
    format!("{whole}.{part:06}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::histogram::Sizes;

    #[test]
    fn a_decimal_is_exact() {
        let rows = [(0, "0"), (1, "0.000001"), (2_500, "0.0025"), (1_000_000, "1"), (12_340_000, "12.34")];
        for (millionths, expected) in rows {
            assert_eq!(decimal(millionths), expected);
        }
    }

    #[test]
    fn a_histogram_has_cumulative_buckets_a_sum_and_a_count() {
        let sizes = Sizes::default();
        for value in [1, 2, 5_000] {
            sizes.record(value);
        }
        let mut text = MetricsText::default();
        text.begin("a", "histogram", "Sizes");
        text.histogram("a", &[("kind", "x\"y")], &sizes.counts(), false);
        let text = text.into_text();
        assert!(
            text.starts_with("# HELP a Sizes\n# TYPE a histogram\na_bucket{kind=\"x\\\"y\",le=\"1\"} 1\n")
        );
        assert!(text.contains("le=\"2\"} 2\n") && text.contains("le=\"4096\"} 2\n"), "{text}");
        assert!(text.contains("le=\"+Inf\"} 3\n"), "{text}");
        assert!(text.ends_with("a_sum{kind=\"x\\\"y\"} 5003\na_count{kind=\"x\\\"y\"} 3\n"), "{text}");
    }
}
