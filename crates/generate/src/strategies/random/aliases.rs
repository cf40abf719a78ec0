//! A choice by weight with one draw and one look-up (Walker's method of aliases, with Vose's way to make
//! its tables). Linear in what can be chosen.

use gramercy_base::Draw;

/// One of equally likely places: its own thing, or with the rest of the likelihood another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket<T> {
    own: T,
    other: T,
    /// The likelihood of the first, in 2⁻³².
    own_below: u32,
}

impl<T: Copy> Ticket<T> {
    /// The same likelihoods of other things.
    pub(super) fn map<U>(&self, mut other: impl FnMut(T) -> U) -> Ticket<U> {
        let own_below = self.own_below;
        Ticket { own: other(self.own), other: other(self.other), own_below }
    }
}

/// A ticket for each thing: what is short of its part is made up by one that has too much.
pub(super) fn tickets<T: Copy>(things: &[(T, f64)]) -> Vec<Ticket<T>> {
    let sum: f64 = things.iter().map(|(_, weight)| weight).sum();
    let count = things.len() as f64;
    let usual = |(_, weight): &(T, f64)| if sum > 0.0 { weight / sum * count } else { 1.0 };
    let mut left: Vec<f64> = things.iter().map(usual).collect();
    let (mut short, mut over): (Vec<usize>, Vec<usize>) =
        (0..things.len()).partition(|&at| left[at] < 1.0);
    let whole = |&(own, _): &(T, f64)| Ticket { own, other: own, own_below: u32::MAX };
    let mut tickets: Vec<Ticket<T>> = things.iter().map(whole).collect();
    while let Some(&from) = over.last()
        && let Some(at) = short.pop()
    {
        // However small a weight, its thing can be chosen.
        tickets[at].own_below = in_parts(left[at]).max(1);
        tickets[at].other = things[from].0;
        left[from] -= 1.0 - left[at];
        if left[from] < 1.0 {
            over.pop();
            short.push(from);
        }
    }
    tickets
}

/// What a ticket gives that is the only one.
pub(super) fn only<T: Copy>(ticket: &Ticket<T>) -> T {
    ticket.own
}

/// One of the things of some tickets. Where there is but one, nothing is drawn.
///
/// # Panics
/// If there are none.
#[inline]
pub(super) fn choose<T: Copy>(tickets: &[Ticket<T>], draw: &mut Draw) -> T {
    if let [ticket] = tickets { only(ticket) } else { choose_among(tickets, draw) }
}

/// One of the things of several tickets.
///
/// # Panics
/// If there are none.
#[inline]
pub(super) fn choose_among<T: Copy>(tickets: &[Ticket<T>], draw: &mut Draw) -> T {
    let drawn = draw.number();
    let wide = (drawn >> 32) * tickets.len() as u64;
    let at = usize::try_from(wide >> 32).expect("invariant: below the number of tickets");
    let ticket = &tickets[at];
    if drawn & u64::from(u32::MAX) < u64::from(ticket.own_below) {
        ticket.own
    } else {
        ticket.other
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 2^32")]
fn in_parts(share: f64) -> u32 {
    (share * (1_u64 << 32) as f64) as u32
}

#[cfg(test)]
mod tests {
    use gramercy_base::Draw;

    #[test]
    fn tickets_are_as_likely_as_the_weights() {
        for weights in [&[1.0, 1.0, 1.0][..], &[0.7, 0.15, 0.15], &[5.0, 1.0, 0.0, 2.0], &[3.0]] {
            let things: Vec<(usize, f64)> = weights.iter().copied().enumerate().collect();
            let mut found = vec![0.0; weights.len()];
            for ticket in super::tickets(&things) {
                let own = f64::from(ticket.own_below) / f64::from(u32::MAX);
                found[ticket.own] += own / weights.len() as f64;
                found[ticket.other] += (1.0 - own) / weights.len() as f64;
            }
            let sum: f64 = weights.iter().sum();
            for (weight, found) in weights.iter().zip(found) {
                assert!((weight / sum - found).abs() < 1e-6, "{weights:?}");
            }
        }
    }

    #[test]
    fn choices_follow_the_tickets() {
        let tickets = super::tickets(&[('a', 3.0), ('b', 1.0)]);
        let mut draw = Draw::new([1; 4]);
        let drawn = (0..4000).filter(|_| super::choose(&tickets, &mut draw) == 'a').count();
        // Four standard deviations.
        assert!(drawn.abs_diff(3000) < 110, "{drawn}");
    }
}
