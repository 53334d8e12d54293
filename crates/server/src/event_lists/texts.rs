//! The searched texts of events, in parts that readers share: cloning all of them copies no text.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::postings::EventSet;
use super::substring::SearchedTexts;

/// Consecutive members per part.
const PART: u32 = 256;

/// Texts by member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// By member / `PART`; each part is ascending and not empty.
    parts: BTreeMap<u32, Arc<Vec<SearchedTexts>>>,
}

impl Texts {
    pub(super) fn insert(&mut self, texts: SearchedTexts) {
        let part = Arc::make_mut(self.parts.entry(texts.member / PART).or_default());
        match part.binary_search_by_key(&texts.member, |other| other.member) {
            Ok(place) => part[place] = texts,
            Err(place) => part.insert(place, texts),
        }
    }

    pub(super) fn remove(&mut self, member: u32) {
        let Some(part) = self.parts.get_mut(&(member / PART)) else { return };
        let part = Arc::make_mut(part);
        part.retain(|texts| texts.member != member);
        if part.is_empty() {
            self.parts.remove(&(member / PART));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &SearchedTexts> {
        self.parts.values().flat_map(|part| part.iter())
    }

    /// The texts of those of the events that are here. Not under a lock: this looks at every part.
    pub fn of<'a>(&'a self, events: &'a EventSet) -> impl Iterator<Item = &'a SearchedTexts> {
        let has_any = |number: u32| {
            let first = number * PART;
            events.range_cardinality(first..=first + (PART - 1)) > 0
        };
        let parts = self.parts.iter().filter(move |(number, _)| has_any(**number));
        parts.flat_map(|(_, part)| part.iter()).filter(|texts| events.contains(texts.member))
    }
}

#[cfg(test)]
mod tests {
    use exchange::text::Text;

    use super::*;

    fn texts(member: u32, title: &str) -> SearchedTexts {
        SearchedTexts { member, title: Text::from(title), slug: Text::default() }
    }

    #[test]
    fn texts_that_a_reader_has_stay_as_they_were() {
        let mut all = Texts::default();
        (0..600).for_each(|member| all.insert(texts(member, "old")));
        let seen = all.clone();
        all.insert(texts(300, "new"));
        all.remove(1);
        let wanted = EventSet::from([1, 300, 599]);
        let titles = |texts: &Texts| -> Vec<(u32, String)> {
            texts.of(&wanted).map(|texts| (texts.member, texts.title.to_string())).collect()
        };
        assert_eq!(titles(&seen), [1, 300, 599].map(|member| (member, "old".to_owned())));
        assert_eq!(titles(&all), [(300, "new".to_owned()), (599, "old".to_owned())]);
        (0..600).for_each(|member| all.remove(member));
        assert_eq!(all, Texts::default());
    }
}
