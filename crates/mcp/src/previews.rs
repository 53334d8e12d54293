//! Tokens between a preview and its order. A token is good for one order within 60 seconds, and only for what was shown.
//!
//! A token is also the idempotency key and the `clientOrderId` of its order.

use std::time::{Duration, Instant};

use api::decimal::Money;
use api::terms::Side;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::cost::BuyTerms;

/// How long a token can be used.
pub(crate) const TOKEN_LIFE: Duration = Duration::from_secs(60);
/// Unused tokens at a time; the oldest makes room.
const TOKENS_MAX: usize = 100;

/// An order that was shown to the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Preview {
    pub(crate) event: Uuid,
    pub(crate) market: Uuid,
    pub(crate) shown: Shown,
    /// None for a SELL.
    pub(crate) terms: Option<BuyTerms>,
    /// The order without its `clientOrderId`, as a JSON object.
    pub(crate) order: String,
}

/// The parts of an order that the agent must repeat to place it, as the preview named them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The event's slug.
    pub(crate) event: String,
    /// The market's title.
    pub(crate) market: String,
    /// The outcome's label.
    pub(crate) outcome: String,
    pub(crate) side: Side,
    pub(crate) worst_cost: Money,
}

/// The fault of a refused token, which cannot be used again in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenFault {
    /// Never given out, or used before.
    Unknown,
    Expired,
    /// The order differs from the one that was shown.
    Mismatch,
}

/// All tokens that have not been used.
#[derive(Debug, Default)]
pub(crate) struct Previews(Mutex<Vec<(String, Instant, Preview)>>);

impl Previews {
    /// A new token for an order.
    pub(crate) fn issue(&self, now: Instant, preview: Preview) -> String {
        let token = Uuid::new_v4().simple().to_string();
        let mut previews = self.0.lock();
        previews.retain(|(_, issued, _)| is_alive(now, *issued));
        if previews.len() == TOKENS_MAX {
            previews.remove(0);
        }
        previews.push((token.clone(), now, preview));
        token
    }

    /// Uses a token up, and returns its order if it is the one that the agent describes.
    pub(crate) fn take(&self, now: Instant, token: &str, described: &Shown) -> Result<Preview, TokenFault> {
        let mut previews = self.0.lock();
        let index = previews.iter().position(|(known, ..)| known == token).ok_or(TokenFault::Unknown)?;
        let (_, issued, preview) = previews.remove(index);
        if !is_alive(now, issued) {
            return Err(TokenFault::Expired);
        }
        if preview.shown != *described {
            return Err(TokenFault::Mismatch);
        }
        Ok(preview)
    }
}

fn is_alive(now: Instant, issued: Instant) -> bool {
    now.saturating_duration_since(issued) < TOKEN_LIFE
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use api::decimal::Money;
    use api::terms::Side;
    use uuid::Uuid;

    use super::{Preview, Previews, Shown, TOKEN_LIFE, TOKENS_MAX, TokenFault};

    fn preview() -> Preview {
        Preview {
            event: Uuid::from_u128(1),
            market: Uuid::from_u128(2),
            shown: Shown {
                event: "rain".to_owned(),
                market: "Rain".to_owned(),
                outcome: "YES".to_owned(),
                side: Side::Buy,
                worst_cost: Money::from_units(10_000_000),
            },
            terms: None,
            order: "{}".to_owned(),
        }
    }

    #[test]
    fn a_token_is_good_for_one_order() {
        let (previews, now) = (Previews::default(), Instant::now());
        let token = previews.issue(now, preview());
        assert_eq!(previews.take(now, &token, &preview().shown), Ok(preview()));
        assert_eq!(previews.take(now, &token, &preview().shown), Err(TokenFault::Unknown));
        assert_eq!(previews.take(now, "a guess", &preview().shown), Err(TokenFault::Unknown));
    }

    #[test]
    fn a_token_expires_after_sixty_seconds() {
        let (previews, now) = (Previews::default(), Instant::now());
        let (first, second) = (previews.issue(now, preview()), previews.issue(now, preview()));
        let last = now + TOKEN_LIFE - Duration::from_millis(1);
        assert!(previews.take(last, &first, &preview().shown).is_ok());
        assert_eq!(previews.take(now + TOKEN_LIFE, &second, &preview().shown), Err(TokenFault::Expired));
    }

    #[test]
    fn a_token_is_bound_to_everything_that_was_shown() {
        let (previews, now) = (Previews::default(), Instant::now());
        let changes: [fn(&mut Shown); 5] = [
            |shown| shown.event = "snow".to_owned(),
            |shown| shown.market = "Snow".to_owned(),
            |shown| shown.outcome = "NO".to_owned(),
            |shown| shown.side = Side::Sell,
            |shown| shown.worst_cost = Money::from_units(10_000_001),
        ];
        for change in changes {
            let token = previews.issue(now, preview());
            let mut described = preview().shown;
            change(&mut described);
            assert_eq!(previews.take(now, &token, &described), Err(TokenFault::Mismatch), "{described:?}");
            let again = previews.take(now, &token, &preview().shown);
            assert_eq!(again, Err(TokenFault::Unknown), "a mismatch uses the token up");
        }
    }

    #[test]
    fn tokens_do_not_pile_up() {
        let (previews, now) = (Previews::default(), Instant::now());
        let first = previews.issue(now, preview());
        let others: Vec<String> = (0..TOKENS_MAX).map(|_| previews.issue(now, preview())).collect();
        assert_eq!(previews.take(now, &first, &preview().shown), Err(TokenFault::Unknown));
        assert!(others.iter().all(|token| previews.take(now, token, &preview().shown).is_ok()));
    }

    #[test]
    fn a_token_can_be_an_idempotency_key_and_a_client_order_id() {
        let token = Previews::default().issue(Instant::now(), preview());
        assert!((1..=64).contains(&token.len()));
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    }
}
