//! The workload of every contestant, from a file or from the generator.
//!
//! A file is a sequence of records of five little-endian `u32`: `kind` (0 add, 1 cancel), `id`, `side` (0 buy, 1 sell),
//! `price` in ticks, `quantity`. A cancel has zeros after its id. In memory an order's id is the index of its record,
//! so that no contestant needs to map ids; ids from a file are renumbered when it is read.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::contestant::{Order, Side, TICK_MAX};

/// Orders that rest before timing starts.
pub(crate) const SET_UP_RECORDS: usize = 10_000;

const RECORD_BYTES: usize = 20;
const KIND_ADD: u32 = 0;
const KIND_CANCEL: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add(Order),
    Cancel(u32),
}

/// Set-up orders first, then the measured operations.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) records: Vec<Operation>,
}

impl Workload {
    pub(crate) fn set_up(&self) -> &[Operation] {
        &self.records[..SET_UP_RECORDS]
    }

    pub(crate) fn measured(&self) -> &[Operation] {
        &self.records[SET_UP_RECORDS..]
    }

    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let bytes = std::fs::read(path)?;
        if !bytes.len().is_multiple_of(RECORD_BYTES) {
            return Err(malformed(format!("{} is not a sequence of records", path.display())));
        }
        // A tree, because a randomly seeded hash map would vary the counted instructions.
        let mut positions = BTreeMap::new();
        let mut records = Vec::with_capacity(bytes.len() / RECORD_BYTES);
        for (position, record) in bytes.chunks_exact(RECORD_BYTES).enumerate() {
            let operation = decode(record, position as u32, &mut positions)
                .map_err(|problem| malformed(format!("record {position}: {problem}")))?;
            records.push(operation);
        }
        if records.len() <= SET_UP_RECORDS {
            return Err(malformed(format!("more than {SET_UP_RECORDS} records are needed")));
        }
        Ok(Self { records })
    }

    /// Writes the first `count` records.
    pub(crate) fn write(&self, path: &Path, count: usize) -> io::Result<()> {
        let mut file = BufWriter::new(std::fs::File::create(path)?);
        for operation in self.records.iter().take(count) {
            for word in encode(operation) {
                file.write_all(&word.to_le_bytes())?;
            }
        }
        file.flush()
    }
}

fn encode(operation: &Operation) -> [u32; 5] {
    match *operation {
        Operation::Add(order) => [KIND_ADD, order.id, order.side as u32, order.price, order.quantity],
        Operation::Cancel(id) => [KIND_CANCEL, id, 0, 0, 0],
    }
}

fn decode(
    record: &[u8],
    position: u32,
    positions: &mut BTreeMap<u32, u32>,
) -> Result<Operation, &'static str> {
    let word = |index: usize| {
        let bytes = record[index * 4..index * 4 + 4].try_into();
        u32::from_le_bytes(bytes.expect("four bytes"))
    };
    let (kind, id, price, quantity) = (word(0), word(1), word(3), word(4));
    if kind == KIND_CANCEL {
        let order = positions.get(&id).ok_or("cancels an order never added")?;
        return Ok(Operation::Cancel(*order));
    }
    if kind != KIND_ADD {
        return Err("the kind is neither 0 nor 1");
    }
    let side = match word(2) {
        0 => Side::Buy,
        1 => Side::Sell,
        _ => return Err("the side is neither 0 nor 1"),
    };
    if !(1..=TICK_MAX).contains(&price) || quantity == 0 {
        return Err("the price is off the ladder or the quantity is zero");
    }
    if positions.insert(id, position).is_some() {
        return Err("the id was used before");
    }
    Ok(Operation::Add(Order { id: position, side, price, quantity }))
}

fn malformed(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(words: [u32; 5]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn a_record_survives_encoding_and_decoding() {
        let order = Order { id: 7, side: Side::Sell, price: 99, quantity: 110 };
        let mut positions = BTreeMap::from([(3, 3)]);
        for operation in [Operation::Add(order), Operation::Cancel(3)] {
            let bytes = record(encode(&operation));
            assert_eq!(decode(&bytes, 7, &mut positions), Ok(operation));
        }
    }

    #[test]
    fn a_files_own_ids_become_positions() {
        let mut positions = BTreeMap::new();
        let add = decode(&record([0, 900, 0, 50, 5]), 0, &mut positions);
        assert!(matches!(add, Ok(Operation::Add(Order { id: 0, .. }))));
        let cancel = decode(&record([1, 900, 0, 0, 0]), 1, &mut positions);
        assert_eq!(cancel, Ok(Operation::Cancel(0)));
    }

    #[test]
    fn a_cancel_of_an_order_never_added_is_refused() {
        let result = decode(&record([1, 900, 0, 0, 0]), 0, &mut BTreeMap::new());
        assert_eq!(result, Err("cancels an order never added"));
    }
}
