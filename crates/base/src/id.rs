//! Dense typed ids: one newtype per concept over `u32`, with a niche so that `Option<Id>` is free.

use std::fmt::Debug;
use std::hash::Hash;

/// An index into the one kind of [`Table`](crate::Table) that its type names.
pub trait Id: Copy + Eq + Ord + Hash + Debug + 'static {
    /// The largest number of values that ids of this type can distinguish.
    const CAPACITY: usize = u32::MAX as usize - 1;

    /// The id of position `index`, or `None` if that is beyond [`Self::CAPACITY`].
    fn try_from_index(index: usize) -> Option<Self>;

    /// The position that this id denotes.
    fn index(self) -> usize;

    /// The id of position `index`.
    ///
    /// # Panics
    /// If `index` is beyond [`Self::CAPACITY`]. [`Limits`](crate::Limits) bounds everything that
    /// could grow that far.
    fn from_index(index: usize) -> Self {
        Self::try_from_index(index).expect("invariant: an id fits in 32 bits")
    }
}

/// A size or an offset as 32 bits, for compact tables.
///
/// # Panics
/// If it does not fit. [`Limits`](crate::Limits) bounds everything that could grow that far.
#[inline]
#[must_use]
pub fn to_u32(n: usize) -> u32 {
    u32::try_from(n).expect("invariant: a bounded size fits in 32 bits")
}

/// Defines an id type: `define_id!(pub struct RuleId, "a rule");`.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident, $what:literal) => {
        #[doc = concat!("The dense id of ", $what, ".")]
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(::std::num::NonZeroU32);

        impl $crate::Id for $name {
            #[inline]
            fn try_from_index(index: usize) -> Option<Self> {
                let above = u32::try_from(index).ok()?.checked_add(1)?;
                ::std::num::NonZeroU32::new(above).map(Self)
            }

            #[inline]
            fn index(self) -> usize {
                (self.0.get() - 1) as usize
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), $crate::Id::index(*self))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Id;

    define_id!(struct ThingId, "a thing");

    #[test]
    fn an_optional_id_is_as_small_as_an_id() {
        assert_eq!(size_of::<Option<ThingId>>(), size_of::<u32>());
    }

    #[test]
    fn overflow_is_an_error_and_not_a_cast() {
        assert_eq!(ThingId::from_index(7).index(), 7);
        assert!(ThingId::try_from_index(u32::MAX as usize - 1).is_some());
        assert!(ThingId::try_from_index(u32::MAX as usize).is_none());
        assert!(ThingId::try_from_index(u32::MAX as usize + 1).is_none());
    }
}
