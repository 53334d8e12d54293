//! Amends, biased towards crossing: orders of others, own orders, and each other within a batch.

use exchange::command::{AmendOrders, Command, Request};
use exchange::id::OrderId;
use exchange::index::UserIndex;
use exchange::numbers::{Price, Shares};
use exchange::order::{Amendment, Item, Malformed};
use exchange::text::Text;

use super::{Generator, View};
use crate::shadow::Open;

impl Generator {
    pub(super) fn amend(&mut self, view: View<'_>) -> Request {
        // Prefer a user who has orders.
        let owners: Vec<_> = view.shadow.orders.values().map(|order| order.user as usize).collect();
        let owner = self.random.pick(&owners);
        let users = view.exchange.directory().users();
        let user = users.map(|(index, _)| index).find(|index| Some(index.slot()) == owner);
        let user = user.unwrap_or_else(|| self.user(view));
        let mut items = Vec::new();
        if self.random.chance(30) {
            items.extend(self.crossing_pair(view, user));
        }
        let count = match self.random.below(40) {
            0 => 0,
            1 => 21,
            2..=24 => 1,
            _ => 1 + self.random.below(4),
        };
        for _ in 0..count {
            items.push(match self.random.chance(3) {
                true => Item::Malformed(Malformed::new(Text::from("unreadable"))),
                false => Item::Valid(self.amendment(view, user)),
            });
        }
        self.by_user(view, user, Command::AmendOrders(AmendOrders { items }))
    }

    fn amendment(&mut self, view: View<'_>, user: UserIndex) -> Amendment {
        let order = self.some_order(view, user).unwrap_or(OrderId::new(7));
        let Some(open) = view.shadow.orders.get(&order.as_u128()) else {
            return Amendment { order, new_price: Some(self.price_near(50)), new_size: None };
        };
        let new_price = match self.random.below(10) {
            0..=2 => None,
            3..=6 => Some(self.crossing_price(view, open.listing, open.outcome, open.side)),
            7 => Some(Price::clamp(open.price)),
            _ => Some(self.price_near(open.price)),
        };
        let new_size = match self.random.below(10) {
            0..=3 => None,
            _ => Some(self.new_size(open)),
        };
        Amendment { order, new_price, new_size }
    }

    fn new_size(&mut self, open: &Open) -> Shares {
        Shares::new(match self.random.below(12) {
            0 => open.filled,
            1 => open.filled + 1,
            2 => open.size,
            3 => open.size - 1,
            4 => open.size + 1,
            5 => self.random.between(-1, 1),
            6 => Shares::ORDER_MAX.units() + self.random.between(0, 1),
            7..=9 => self.random.between(open.filled, open.size),
            _ => open.size + self.random.between(1, 300_000),
        })
    }

    /// Two own orders on opposite sides of a book, moved so that they cross each other.
    fn crossing_pair(&mut self, view: View<'_>, user: UserIndex) -> Vec<Item<Amendment>> {
        let own: Vec<_> =
            view.shadow.orders.values().filter(|order| order.user as usize == user.slot()).collect();
        let Some(first) = self.random.pick(&own) else { return Vec::new() };
        let facing: Vec<_> = own
            .into_iter()
            .filter(|other| other.listing == first.listing && other.book_side() != first.book_side())
            .collect();
        let Some(second) = self.random.pick(&facing) else { return Vec::new() };
        let meeting = self.random.between(35, 65);
        let to = |order: &Open, yes_price: i64| {
            let price = Price::clamp(crate::shadow::yes_price(order.outcome, yes_price));
            Item::Valid(Amendment { order: OrderId::new(order.id), new_price: Some(price), new_size: None })
        };
        vec![to(first, meeting), to(second, meeting)]
    }
}
