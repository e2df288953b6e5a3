//! The Mersenne Twister of numpy's `RandomState`.

use super::NativeTable;
use super::arrays::{ELEMENTS_PER_SECOND, INT, count, held, need, word};
use crate::value::{Py, PyObject};
use crate::vm::{PyResult, PyVm};
use base::math;

/// Words of the state.
const WORDS: usize = 624;

pub(super) const TABLE: NativeTable = &[
    ("_nd.mt_seed", |vm, a, _| {
        let seed = u32::try_from(vm.need_int(a, 0, "seed")? & 0xffff_ffff).unwrap_or(0);
        let mut state = vec![0.0; WORDS + 3];
        let mut word = seed;
        for (i, slot) in (0_u32..).zip(state.iter_mut().take(WORDS)) {
            if i > 0 {
                word = 1_812_433_253_u32.wrapping_mul(word ^ (word >> 30)).wrapping_add(i);
            }
            *slot = f64::from(word);
        }
        state[WORDS] = WORDS as f64;
        let len = state.len() as u64;
        Ok(vm.add_array(2, state, len))
    }),
    ("_nd.mt_fill", |vm, a, _| mt_fill(vm, a)),
];

/// The next word of the Mersenne Twister. The state's position follows its words.
fn mt_next(state: &mut [f64]) -> u32 {
    if state[WORDS] >= WORDS as f64 {
        let mut mt: Vec<u32> = state[..WORDS].iter().map(|w| *w as u32).collect();
        for k in 0..WORDS {
            let y = mt[k] & 0x8000_0000 | mt[(k + 1) % WORDS] & 0x7fff_ffff;
            mt[k] = mt[(k + 397) % WORDS] ^ (y >> 1) ^ if y & 1 == 1 { 0x9908_b0df } else { 0 };
        }
        for (slot, word) in state.iter_mut().zip(&mt) {
            *slot = f64::from(*word);
        }
        state[WORDS] = 0.0;
    }
    let mut y = state[state[WORDS] as usize] as u32;
    state[WORDS] += 1.0;
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^ (y >> 18)
}

fn mt_double(state: &mut [f64]) -> f64 {
    let (a, b) = (mt_next(state) >> 5, mt_next(state) >> 6);
    (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
}

/// A normal number by the polar method; the second of a pair is kept at the end of the state.
fn mt_gauss(state: &mut [f64]) -> f64 {
    if state[WORDS + 1] != 0.0 {
        state[WORDS + 1] = 0.0;
        return state[WORDS + 2];
    }
    loop {
        let x = 2.0 * mt_double(state) - 1.0;
        let y = 2.0 * mt_double(state) - 1.0;
        let r = x * x + y * y;
        if r < 1.0 && r != 0.0 {
            let f = (-2.0 * math::ln(r) / r).sqrt();
            state[WORDS + 1] = 1.0;
            state[WORDS + 2] = f * x;
            return f * y;
        }
    }
}

/// `state, what, n, low, range`: random numbers of numpy's old generator.
fn mt_fill(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult {
    let what = word(vm, a, 1)?;
    let n = count(vm, a, 2)?;
    let low = a.get(3).and_then(|v| vm.as_float(*v)).unwrap_or(0.0);
    let range = a.get(4).and_then(|v| vm.as_int(*v)).unwrap_or(0);
    need(vm, a, 0)?;
    let Py::Obj(id) = a[0] else { return Ok(Py::None) };
    let PyObject::Array(state) = vm.obj_mut(id) else { return Ok(Py::None) };
    let state = &mut state.data;
    let size = held(n);
    let mut data = Vec::with_capacity(size);
    let most = u32::try_from((range - 1).clamp(0, i64::from(u32::MAX))).unwrap_or(0);
    let mask = u32::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
    for _ in 0..size {
        data.push(match what.as_str() {
            "random" => mt_double(state),
            "gauss" => mt_gauss(state),
            _ if most == 0 => low,
            _ => loop {
                let value = mt_next(state) & mask;
                if value <= most {
                    break low + f64::from(value);
                }
            },
        });
    }
    let kind = if what == "ints" { INT } else { 2 };
    vm.fuel -= i64::try_from(size / 2).unwrap_or(0);
    vm.s.work += n * 8 * 1_000_000 / ELEMENTS_PER_SECOND;
    Ok(vm.add_array(kind, data, n))
}
