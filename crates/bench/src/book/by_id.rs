//! Maps order ids to their slots: an array, since the workload numbers its orders densely.
//!
//! It grows by doubling, so that the common case is one comparison and one store.

#[derive(Debug)]
pub(crate) struct ById<T> {
    places: Vec<T>,
    /// The value for an order that is not resting.
    nowhere: T,
}

impl<T: Copy> ById<T> {
    pub(crate) fn new(nowhere: T) -> Self {
        Self { places: Vec::new(), nowhere }
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> T {
        self.places.get(id as usize).copied().unwrap_or(self.nowhere)
    }

    #[inline]
    pub(crate) fn set(&mut self, id: u32, place: T) {
        if id as usize >= self.places.len() {
            self.grow(id);
        }
        self.places[id as usize] = place;
    }

    #[cold]
    fn grow(&mut self, id: u32) {
        self.places.resize((id as usize + 1).next_power_of_two(), self.nowhere);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_never_placed_is_nowhere() {
        let mut places = ById::new(u32::MAX);
        places.set(5, 50);
        assert_eq!([places.get(5), places.get(4), places.get(900)], [50, u32::MAX, u32::MAX]);
    }
}
