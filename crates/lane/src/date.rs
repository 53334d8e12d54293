//! The value of the `Date` header, made once a second.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
pub(crate) struct Date {
    text: String,
    /// When the next second begins.
    until: Instant,
}

impl Date {
    pub(crate) fn new(now: Instant) -> Date {
        Date { text: String::new(), until: now }
    }

    /// The value at the current time. `now` only decides whether it is made anew.
    pub(crate) fn value(&mut self, now: Instant) -> &str {
        if now >= self.until {
            let time = SystemTime::now();
            let past = time.duration_since(UNIX_EPOCH).unwrap_or_default().subsec_nanos();
            self.text = httpdate::fmt_http_date(time);
            self.until = now + (Duration::from_secs(1) - Duration::from_nanos(past.into()));
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_made_anew_only_when_its_second_is_over() {
        let begin = Instant::now();
        let mut date = Date::new(begin);
        assert!(httpdate::parse_http_date(date.value(begin)).is_ok());
        assert!(date.until > begin && date.until <= begin + Duration::from_secs(1));
        date.text = "kept".to_owned();
        assert_eq!(date.value(begin), "kept");
        assert_ne!(date.value(begin + Duration::from_secs(1)), "kept");
    }
}
