//! What happens when the machine has no more memory: one line and exit code 3.
//!
//! Everything that grows has a limit that is checked before memory is asked for. Where a request fails
//! all the same, the standard library would abort the process. A handler for failed requests cannot be
//! set in stable Rust, so this allocator passes every request on to the system's allocator and looks at
//! the answer.

#![expect(
    unsafe_code,
    reason = "an allocator is an unsafe trait; every method only passes on a call"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator, which ends the process where it has no memory.
struct EndWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndWithoutMemory = EndWithoutMemory;

/// Ends the process if a request of this many bytes was refused.
fn checked(address: *mut u8, bytes: usize) -> *mut u8 {
    if address.is_null() {
        // No memory may be requested here: the text goes out in parts, without a buffer.
        let mut digits = [0; 20];
        let mut out = std::io::stderr();
        let _ = out.write_all(b"error[out-of-memory]: the machine refuses ");
        let _ = out.write_all(decimal(bytes, &mut digits));
        let _ = out.write_all(b" more bytes of memory\n");
        std::process::exit(3);
    }
    address
}

/// A number in decimal digits.
fn decimal(mut number: usize, digits: &mut [u8; 20]) -> &[u8] {
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + u8::try_from(number % 10).unwrap_or(0);
        number /= 10;
        if number == 0 {
            return &digits[first..];
        }
    }
}

// SAFETY: every request is answered by the system's allocator, which keeps the contract of the trait.
unsafe impl GlobalAlloc for EndWithoutMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, and it is the same.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(address, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(address, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn numbers_are_written_without_memory() {
        for number in [0, 7, 10, 1234, usize::MAX] {
            assert_eq!(decimal(number, &mut [0; 20]), number.to_string().as_bytes());
        }
    }
}
