//! A choice by weight with one draw and one look-up (Walker's method of aliases, with Vose's way to make
//! its tables). Linear in what can be chosen.

use gramercy_base::Draw;

/// One of equally likely places: its own thing, or with the rest of the likelihood another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AliasSlot<T> {
    own: T,
    other: T,
    /// The likelihood of the first, in 2⁻³².
    own_below: u32,
}

impl<T: Copy> AliasSlot<T> {
    /// The same likelihoods of other things.
    pub(crate) fn map<U>(&self, mut other: impl FnMut(T) -> U) -> AliasSlot<U> {
        let own_below = self.own_below;
        AliasSlot { own: other(self.own), other: other(self.other), own_below }
    }
}

/// A slot for each thing: what is short of its part is made up by one that has too much.
pub(crate) fn slots<T: Copy>(things: &[(T, f64)]) -> Vec<AliasSlot<T>> {
    let sum: f64 = things.iter().map(|(_, weight)| weight).sum();
    let count = things.len() as f64;
    let usual = |(_, weight): &(T, f64)| if sum > 0.0 { weight / sum * count } else { 1.0 };
    let mut left: Vec<f64> = things.iter().map(usual).collect();
    let (mut short, mut over): (Vec<usize>, Vec<usize>) =
        (0..things.len()).partition(|&at| left[at] < 1.0);
    let whole = |&(own, _): &(T, f64)| AliasSlot { own, other: own, own_below: u32::MAX };
    let mut slots: Vec<AliasSlot<T>> = things.iter().map(whole).collect();
    while let Some(&from) = over.last()
        && let Some(at) = short.pop()
    {
        // However small a weight, its thing can be chosen.
        slots[at].own_below = in_parts(left[at]).max(1);
        slots[at].other = things[from].0;
        left[from] -= 1.0 - left[at];
        if left[from] < 1.0 {
            over.pop();
            short.push(from);
        }
    }
    slots
}

/// What a slot gives that is the only one.
pub(crate) fn only<T: Copy>(slot: &AliasSlot<T>) -> T {
    slot.own
}

/// One of the things of some slots. Where there is but one, nothing is drawn.
///
/// # Panics
/// If there are none.
#[inline]
pub(crate) fn choose<T: Copy>(slots: &[AliasSlot<T>], draw: &mut Draw) -> T {
    if let [slot] = slots { only(slot) } else { choose_among(slots, draw) }
}

/// One of the things of several slots.
///
/// # Panics
/// If there are none.
#[inline]
pub(crate) fn choose_among<T: Copy>(slots: &[AliasSlot<T>], draw: &mut Draw) -> T {
    let drawn = draw.number();
    let wide = (drawn >> 32) * slots.len() as u64;
    let at = usize::try_from(wide >> 32).expect("invariant: below the number of slots");
    let slot = &slots[at];
    if drawn & u64::from(u32::MAX) < u64::from(slot.own_below) { slot.own } else { slot.other }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 2^32")]
fn in_parts(share: f64) -> u32 {
    (share * (1_u64 << 32) as f64) as u32
}

#[cfg(test)]
mod tests {
    use gramercy_base::Draw;

    #[test]
    fn slots_are_as_likely_as_the_weights() {
        for weights in [&[1.0, 1.0, 1.0][..], &[0.7, 0.15, 0.15], &[5.0, 1.0, 0.0, 2.0], &[3.0]] {
            let things: Vec<(usize, f64)> = weights.iter().copied().enumerate().collect();
            let mut found = vec![0.0; weights.len()];
            for slot in super::slots(&things) {
                let own = f64::from(slot.own_below) / f64::from(u32::MAX);
                found[slot.own] += own / weights.len() as f64;
                found[slot.other] += (1.0 - own) / weights.len() as f64;
            }
            let sum: f64 = weights.iter().sum();
            for (weight, found) in weights.iter().zip(found) {
                assert!((weight / sum - found).abs() < 1e-6, "{weights:?}");
            }
        }
    }

    #[test]
    fn choices_follow_the_slots() {
        let slots = super::slots(&[('a', 3.0), ('b', 1.0)]);
        let mut draw = Draw::new([1; 4]);
        let drawn = (0..4000).filter(|_| super::choose(&slots, &mut draw) == 'a').count();
        // Four standard deviations.
        assert!(drawn.abs_diff(3000) < 110, "{drawn}");
    }
}
