//! A value that is usually empty: one word while it is.

use core::fmt;
use core::ops::{Deref, DerefMut};
use std::collections::BTreeSet;

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

/// A value with an empty form.
pub trait Empty: Sized + 'static {
    /// The shared empty value.
    const EMPTY: &'static Self;

    fn is_empty_value(&self) -> bool;
}

impl<T: 'static> Empty for Vec<T> {
    const EMPTY: &'static Vec<T> = &Vec::new();

    fn is_empty_value(&self) -> bool {
        self.is_empty()
    }
}

impl<T: 'static> Empty for BTreeSet<T> {
    const EMPTY: &'static BTreeSet<T> = &BTreeSet::new();

    fn is_empty_value(&self) -> bool {
        self.is_empty()
    }
}

/// Reads as the empty value until it is changed; the first change allocates.
pub struct Sparse<T>(Option<Box<T>>);

impl<T> Sparse<T> {
    pub const fn empty() -> Sparse<T> {
        Sparse(None)
    }
}

impl<T> Default for Sparse<T> {
    fn default() -> Sparse<T> {
        Sparse::empty()
    }
}

impl<T: Empty> From<T> for Sparse<T> {
    fn from(value: T) -> Sparse<T> {
        Sparse((!value.is_empty_value()).then(|| Box::new(value)))
    }
}

impl<T: Empty> Deref for Sparse<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => T::EMPTY,
        }
    }
}

impl<T: Empty + Default> DerefMut for Sparse<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_with(Box::default)
    }
}

impl<T: Empty, C> Encode<C> for Sparse<T>
where
    T: Encode<C>,
{
    fn encode<W: Write>(&self, e: &mut Encoder<W>, context: &mut C) -> Result<(), encode::Error<W::Error>> {
        (**self).encode(e, context)
    }
}

impl<'b, T: Empty, C> Decode<'b, C> for Sparse<T>
where
    T: Decode<'b, C>,
{
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Sparse<T>, Error> {
        T::decode(d, context).map(Sparse::from)
    }
}

impl<T: Clone> Clone for Sparse<T> {
    fn clone(&self) -> Sparse<T> {
        Sparse(self.0.clone())
    }
}

impl<T: Empty + fmt::Debug> fmt::Debug for Sparse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
