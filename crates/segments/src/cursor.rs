//! Decoding of runs: the groups of a piece, and whole runs in order.

use std::borrow::Cow;

use crate::run::Run;
use crate::run_writer::{RunWriter, Step};
use crate::varint::Input;
use crate::{Error, Key, Order};

/// Reads the groups of a piece.
#[derive(Debug)]
pub(crate) struct PieceReader<'a> {
    input: Input<'a>,
    order: Order,
    pub(crate) key: Key,
    /// Values of the key in earlier pieces; 0 after the first group.
    pub(crate) rank: u64,
    first: u64,
    /// Unread values of the group, and the last value read.
    left: u64,
    last: u64,
    is_first_of_group: bool,
    is_at_start: bool,
}

impl<'a> PieceReader<'a> {
    /// The head of a piece: its first key, rank and value.
    pub(crate) fn new(bytes: &'a [u8], order: Order) -> Option<PieceReader<'a>> {
        let mut input = Input(bytes);
        let key = Key([input.word()?, input.word()?, input.word()?]);
        let rank = input.number()?;
        let count = input.number()?;
        let first = input.number()?;
        let (is_first_of_group, is_at_start) = (true, true);
        Some(PieceReader {
            input,
            order,
            key,
            rank,
            first,
            left: count,
            last: first,
            is_first_of_group,
            is_at_start,
        })
    }

    pub(crate) const fn first(&self) -> u64 {
        self.first
    }

    /// The number of values of the current group.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }

    /// The next value of the group.
    #[inline]
    pub(crate) fn value(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        if self.is_first_of_group {
            self.is_first_of_group = false;
            return Some(self.last);
        }
        self.last = match self.order {
            Order::Added => self.last.wrapping_add_signed(self.input.signed()?),
            Order::Ascending => self.last.checked_add(self.input.number()?)?,
        };
        Some(self.last)
    }

    /// Moves to the next group; false at the end. `None` if the piece is malformed.
    pub(crate) fn next_group(&mut self) -> Option<bool> {
        if self.is_at_start {
            self.is_at_start = false;
            return Some(true);
        }
        while self.left > 0 {
            self.value()?;
        }
        if self.input.0.is_empty() {
            return Some(false);
        }
        let [step] = self.input.fixed()?;
        let word = usize::from(step & Step::WORD);
        let Key(before) = self.key;
        let mut after = before;
        *after.get_mut(word)? = before[word].checked_add(self.input.number()?)?;
        if word == 0 {
            after[1] = if step & Step::NEXT_IS_ZERO != 0 { 0 } else { self.input.word()? };
        }
        if word < 2 && step & Step::LAST_IS_SAME == 0 {
            after[2] = self.input.number()?;
        }
        self.key = Key(after);
        self.left = if step & Step::IS_SINGLE != 0 { 1 } else { self.input.number()? };
        self.first = self.first.wrapping_add_signed(self.input.signed()?);
        (self.last, self.rank, self.is_first_of_group) = (self.first, 0, true);
        Some(true)
    }
}

/// Reads all entries of a run in order, for merging. Its buffers are used again and again.
#[derive(Debug)]
pub(crate) struct RunCursor<'a> {
    run: &'a Run,
    block: usize,
    bytes: Cow<'a, [u8]>,
    pieces: Vec<(usize, usize)>,
    piece: usize,
    /// The groups of the current piece: each key with the end of its values.
    groups: Vec<(Key, usize)>,
    values: Vec<u64>,
    /// The current group, and where its values begin.
    group: usize,
    start: usize,
}

impl<'a> RunCursor<'a> {
    pub(crate) fn new(run: &'a Run) -> Result<RunCursor<'a>, Error> {
        let (pieces, groups, values, bytes) = (Vec::new(), Vec::new(), Vec::new(), Cow::Borrowed(&[][..]));
        let mut cursor =
            RunCursor { run, block: 0, bytes, pieces, piece: 0, groups, values, group: 0, start: 0 };
        cursor.read_piece()?;
        Ok(cursor)
    }

    /// The key of the current group; none at the end.
    pub(crate) fn key(&self) -> Option<Key> {
        self.groups.get(self.group).map(|(key, _)| *key)
    }

    /// The values of the current group.
    pub(crate) fn values(&self) -> &[u64] {
        &self.values[self.start..self.groups[self.group].1]
    }

    /// Moves to the next group. A long list is in several groups.
    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        self.start = self.groups[self.group].1;
        self.group += 1;
        if self.group == self.groups.len() { self.read_piece() } else { Ok(()) }
    }

    fn read_piece(&mut self) -> Result<(), Error> {
        self.groups.clear();
        self.values.clear();
        (self.group, self.start) = (0, 0);
        if self.piece == self.pieces.len() {
            if self.block == self.run.index.len() {
                return Ok(());
            }
            self.bytes = self.run.block_bytes(self.block)?;
            self.pieces = self.run.pieces(&self.bytes)?;
            (self.block, self.piece) = (self.block + 1, 0);
        }
        let (start, end) = self.pieces[self.piece];
        self.piece += 1;
        let read = decode_piece(&self.bytes[start..end], self.run.order, &mut self.groups, &mut self.values);
        read.ok_or_else(|| self.run.damaged("a piece of a run"))
    }
}

fn decode_piece(
    bytes: &[u8],
    order: Order,
    groups: &mut Vec<(Key, usize)>,
    values: &mut Vec<u64>,
) -> Option<()> {
    let mut reader = PieceReader::new(bytes, order)?;
    while reader.next_group()? {
        while reader.left() > 0 {
            values.push(reader.value()?);
        }
        groups.push((reader.key, values.len()));
    }
    Some(())
}

/// Merges runs, oldest first. `write` is called with the writer now and then, to store complete blocks.
pub(crate) fn merge(
    runs: &[&Run],
    order: Order,
    mut write: impl FnMut(&mut RunWriter) -> Result<(), Error>,
) -> Result<RunWriter, Error> {
    let mut writer = RunWriter::new(order);
    let mut cursors = runs.iter().map(|run| RunCursor::new(run)).collect::<Result<Vec<_>, _>>()?;
    let mut values = Vec::new();
    while let Some(key) = cursors.iter().filter_map(RunCursor::key).min() {
        for cursor in &mut cursors {
            while cursor.key() == Some(key) {
                values.extend_from_slice(cursor.values());
                cursor.advance()?;
            }
        }
        if order == Order::Ascending && !values.is_sorted() {
            values.sort_unstable();
        }
        values.drain(..).for_each(|value| writer.push(key, value));
        write(&mut writer)?;
    }
    writer.end();
    write(&mut writer)?;
    Ok(writer)
}
