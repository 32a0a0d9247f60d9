use fastrand::Rng;

use super::*;

const WORDS: usize = 2;
const PLACES: usize = 5;
/// The states of the pattern of all places.
const STATES: usize = 9;
const SIZE: NetworkSize = NetworkSize { features: 64 * WORDS + STATES, present: 72, buckets: 3 };

/// Weights up to these, drawn by lot, in the order of a file.
fn drawn(largest: [i32; 2], random: &mut Rng) -> Vec<i16> {
    let hidden = (SIZE.features + 1) * UNITS;
    let draw = |number| {
        let largest = largest[usize::from(number >= hidden)];
        random.i32(-largest..=largest) as i16
    };
    (0..SIZE.weights()).map(draw).collect()
}

/// A position with up to so many features in each view.
fn position(most: usize, random: &mut Rng) -> Input<WORDS, PLACES> {
    let mut views = [[0; WORDS]; 2];
    for view in &mut views {
        for _ in 0..random.usize(..=most - PLACES) {
            view[random.usize(..WORDS)] |= 1 << random.u32(..64);
        }
    }
    let mut patterns = [[0; PLACES]; 2];
    for state in patterns.as_flattened_mut() {
        *state = (64 * WORDS + random.usize(..STATES)) as u16;
    }
    let turns = std::array::from_fn(|_| [0, 7, 56, 63][random.usize(..4)]);
    let (mover, bucket) = (random.usize(..2), random.usize(..SIZE.buckets));
    Input { views, turns, patterns, mover, bucket }
}

/// What the weights add up to, in numbers of any size.
fn plain_output(weights: &[i16], input: &Input<WORDS, PLACES>) -> i64 {
    let weight = |index: usize| i64::from(weights[index]);
    let hidden = (SIZE.features + 1) * UNITS;
    let start = hidden + input.bucket * (2 * UNITS + 1);
    let sparse = SparseInput::from(input);
    let mut output = weight(start + 2 * UNITS) * i64::from(FULL);
    for (view, features) in sparse.views.iter().enumerate() {
        for unit in 0..UNITS {
            let rows = features.iter().map(|&feature| weight(usize::from(feature) * UNITS + unit));
            let sum = weight(SIZE.features * UNITS + unit) + rows.sum::<i64>();
            let square = sum.clamp(0, i64::from(ONE)).pow(2) / 64;
            output += square * weight(start + view * UNITS + unit);
        }
    }
    output
}

#[test]
fn the_output_is_what_the_weights_add_up_to_whatever_came_before() {
    let mut random = Rng::with_seed(1);
    for largest in [[3, 50], [60, 300], [SIZE.largest(), LARGEST_OUTPUT]] {
        let weights = drawn(largest, &mut random);
        let network = Network::of_weights(&weights, SIZE).expect("a network");
        let mut accumulator = Accumulator::default();
        for _ in 0..200 {
            let input = position([PLACES, 12, SIZE.present][random.usize(..3)], &mut random);
            let expected = plain_output(&weights, &input);
            assert_eq!(i64::from(network.output(&input, &mut accumulator)), expected);
            let afresh = network.output(&input, &mut Accumulator::default());
            assert_eq!(i64::from(afresh), expected);
        }
    }
}

#[test]
fn weights_of_another_network_are_refused() {
    let weights = drawn([SIZE.largest(), LARGEST_OUTPUT], &mut Rng::with_seed(1));
    let is_read = |weights: &[i16]| Network::of_weights(weights, SIZE).is_some();
    assert!(is_read(&weights));
    assert!(!is_read(&weights[1..]));
    for (index, weight) in [(0, SIZE.largest() + 1), (SIZE.weights() - 1, -LARGEST_OUTPUT - 1)] {
        let mut weights = weights.clone();
        weights[index] = weight as i16;
        assert!(!is_read(&weights));
    }
}

#[test]
fn odds_of_three_to_one_are_worth_the_half_value() {
    let mut weights = vec![0; SIZE.weights()];
    let last = weights.len() - 1;
    // Three to one is 1.0986 as a logarithm, and 281 in parts of 256.
    weights[last] = 281;
    let network = Network::of_weights(&weights, SIZE).expect("a network");
    let (views, bucket) = ([[1; WORDS]; 2], SIZE.buckets - 1);
    let input = Input { views, turns: [0; 2], patterns: [[]; 2], mover: 0, bucket };
    let score = network.score(&input, &mut Accumulator::default(), 1000);
    assert!((998..=1000).contains(&score), "{score}");
}
