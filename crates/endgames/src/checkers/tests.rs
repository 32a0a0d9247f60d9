use super::*;

/// Files of tables: a plain one of two pieces, and those that the engine embeds.
const FILES: [&[u8]; 3] = [
    include_bytes!("../../../../tests/data/checkers-2.tables"),
    include_bytes!("../../../../knowledge/checkers-4.tables"),
    include_bytes!("../../../../knowledge/checkers-5.outcomes"),
];

/// The values of a file, in the order of the positions of up to `pieces` pieces.
fn values(file: &'static [u8], pieces: u8) -> Vec<Plies> {
    let table = CheckersTables::open(file).expect("a whole table");
    let slices = (2..=pieces).flat_map(CheckersSlice::of_pieces);
    let positions = slices.flat_map(|slice| (0..slice.positions()).map(move |it| (slice, it)));
    positions
        .map(|(slice, number)| table.byte(table.layout.start(slice)? + number))
        .collect::<Option<_>>()
        .expect("a value of each position")
}

fn written(pieces: u8, form: Form, values: &[Plies]) -> Vec<u8> {
    let mut file = Vec::new();
    write(pieces, form, values, |_| false, &mut file).expect("memory takes all");
    file
}

#[test]
fn every_position_of_a_slice_has_a_number_of_its_own() {
    for slice in (2..=4).flat_map(CheckersSlice::of_pieces) {
        let step = 1 + slice.positions() / 5000;
        for number in (0..slice.positions()).step_by(step) {
            let Some(placement) = slice.placement(number) else { continue };
            assert_eq!(CheckersSlice::place(&placement), (slice, number), "{slice:?}");
        }
    }
}

#[test]
fn files_of_all_forms_say_the_same() {
    let embedded = values(FILES[1], 3);
    let two = Layout::up_to::<CheckersSlice>(2).values();
    assert_eq!(values(FILES[0], 2), embedded[..two]);
    assert!(written(2, Form::Plain, &embedded[..two]) == FILES[0]);
    let packed = written(3, Form::Packed, &embedded);
    assert_eq!(values(packed.leak(), 3), embedded);
    let outcomes = CheckersTables::open(written(3, Form::Outcomes, &embedded)).expect("a table");
    let slices = (2..=3).flat_map(CheckersSlice::of_pieces);
    let placements =
        slices.flat_map(|slice| (0..slice.positions()).map(move |number| slice.placement(number)));
    for (place, (placement, value)) in placements.zip(embedded).enumerate() {
        let Some(placement) = placement else { continue };
        assert_eq!(outcomes.value(&placement), None);
        let expected = match value {
            DRAW => Ordering::Equal,
            plies if is_loss(plies) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let is_known = place >= two;
        assert_eq!(outcomes.outcome(&placement), is_known.then_some(expected), "{placement:?}");
    }
}

#[test]
fn a_file_that_is_damaged_is_refused() {
    let open = |file: &[u8]| CheckersTables::open(file.to_vec());
    for file in FILES {
        let table = open(file).expect("a whole table");
        assert!(table.check().is_ok());
        assert!(open(&file[..file.len() - 1]).is_err(), "a byte is missing");
        assert!(open(&file[..8]).is_err(), "nothing but the mark");
        for place in 0..12 {
            let mut damaged = file.to_vec();
            damaged[place] ^= 0x80;
            assert!(open(&damaged).is_err(), "byte {place} of the header");
        }
        for place in [16, file.len() / 2, file.len() - 1] {
            let mut damaged = file.to_vec();
            damaged[place] ^= 1;
            assert!(open(&damaged).and_then(|table| table.check()).is_err(), "byte {place}");
        }
    }
}
