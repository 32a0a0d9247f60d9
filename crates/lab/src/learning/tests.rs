use std::fs;
use std::path::{Path, PathBuf};

use bestmove_engine::network::{
    Accumulator, Input, LOGIT, Network, NetworkSize, SparseInput, UNITS, unpack,
};

use super::descent::{Descent, Schedule};
use super::packing::pack;
use super::samples::Samples;
use super::weights::Weights;

const SIZE: NetworkSize = NetworkSize { features: 64, present: 64, buckets: 2 };

/// Positions of two features, of which exactly one is good to have in the first bucket, and bad in the second: no
/// sum of two weights can say that.
const POSITIONS: [(&[u16], f64); 4] = [(&[], 0.2), (&[0], 0.8), (&[1], 0.8), (&[0, 1], 0.2)];

fn samples() -> Samples {
    let mut samples = Samples::default();
    for _ in 0..100 {
        for (features, target) in POSITIONS {
            for (bucket, target) in [(0, target), (1, 1.0 - target)] {
                samples.add(&SparseInput { views: [features.to_vec(), vec![]], bucket }, target);
            }
        }
    }
    samples
}

fn schedule(epochs: u32, threads: usize) -> Schedule {
    Schedule { seed: 1, epochs, rate: 0.01, batch: 64, threads }
}

/// The path of a file for one test, after a file at that path was removed.
fn file(name: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("bestmove-{name}-{}", std::process::id()));
    let _ = fs::remove_file(&file);
    file
}

fn trained(file: &Path, schedule: &Schedule) -> Descent {
    let mut descent = Descent::new(Weights::random(SIZE, 1), file, "a test").expect("no file");
    descent.run(&samples(), schedule).expect("room for a checkpoint");
    descent
}

#[test]
fn it_learns_what_no_sum_can_say_and_the_engine_says_the_same() {
    let file = file("xor");
    let descent = trained(&file, &schedule(40, 2));
    let packed = pack(&descent.weights.quantised()).expect("room");
    let network = Network::read(&packed, SIZE).expect("a network");
    for (features, target) in POSITIONS {
        for (bucket, target) in [(0, target), (1, 1.0 - target)] {
            let bits = features.iter().fold(0, |bits, feature| bits | 1 << feature);
            let views = [[bits], [0]];
            let input = Input { views, turns: [0; 2], patterns: [[]; 2], mover: 0, bucket };
            let output = network.output(&input, &mut Accumulator::default());
            let logit = f64::from(output) / f64::from(LOGIT * bestmove_engine::network::FULL);
            let said = 1.0 / (1.0 + (-logit).exp());
            assert!((said - target).abs() < 0.04, "{features:?} {bucket}: {said} {target}");
        }
    }
    fs::remove_file(file).expect("a checkpoint");
}

#[test]
fn the_network_depends_neither_on_the_threads_nor_on_an_interruption() {
    let (one, two, stopped) = (file("one"), file("two"), file("stopped"));
    let whole = trained(&one, &schedule(4, 1)).weights.numbers;
    assert!(whole == trained(&two, &schedule(4, 3)).weights.numbers);
    // A checkpoint of the same schedule after two epochs, as a killed training leaves it.
    let mut killed = Descent::new(Weights::random(SIZE, 1), &stopped, "a test").expect("no file");
    killed.run_until(2, &samples(), &schedule(4, 1)).expect("room for a checkpoint");
    assert!(whole != killed.weights.numbers);
    assert!(whole == trained(&stopped, &schedule(4, 1)).weights.numbers);
    assert!(Descent::new(Weights::random(SIZE, 1), &stopped, "another").is_err());
    for file in [one, two, stopped] {
        fs::remove_file(file).expect("a checkpoint");
    }
}

#[test]
fn weights_that_are_read_are_those_that_were_written() {
    let numbers = Weights::random(SIZE, 3).quantised();
    let packed = pack(&numbers).expect("room");
    let read = unpack(&packed).and_then(|numbers| Weights::of_quantised(&numbers, SIZE));
    assert_eq!(read.map(|weights| weights.quantised()), Some(numbers.clone()));
    assert!(Weights::of_quantised(&numbers[1..], SIZE).is_none());
    let lacking = NetworkSize { features: SIZE.features - 1, ..SIZE };
    let numbers = Weights::random(lacking, 3).quantised();
    let read = Weights::of_quantised(&numbers, SIZE).expect("a network").quantised();
    let (rows, others) = numbers.split_at(lacking.features * UNITS);
    assert_eq!(read, [rows, &[0; UNITS], others].concat());
}
