//! Maps as text: reading, writing and error messages.

use proptest::prelude::*;
use pursuit::maps::{
    MapErrorKind, Scenario, parse_ascii, parse_map, parse_scenarios, write_ascii, write_map,
    write_scenarios,
};
use pursuit::{Cell, Grid};

const SMALL: &str = "type octile\nheight 2\nwidth 3\nmap\n.@G\nTSW\n";

/// Expects `parse_map` to find a mistake of the given kind at `line` and `column`.
#[track_caller]
fn check_map_error(text: &str, line: usize, column: usize, kind: MapErrorKind) {
    let error = parse_map(text).expect_err("the text has a mistake");
    assert_eq!((error.line, error.column, error.kind), (line, column, kind));
}

fn bad(field: &'static str, text: &str) -> MapErrorKind {
    let text = text.into();
    MapErrorKind::BadNumber { field, text }
}

#[track_caller]
fn check_scenario_error(second_line: &str, column: usize, kind: MapErrorKind) {
    let text = format!("version 1\n{second_line}\n");
    let error = parse_scenarios(&text).expect_err("the text has a mistake");
    assert_eq!((error.line, error.column, error.kind), (2, column, kind));
}

#[test]
fn dots_ground_and_swamp_are_free_and_other_letters_are_walls() {
    let grid = parse_map(SMALL).unwrap();
    assert_eq!(write_ascii(&grid), ".#.\n#.#\n");
}

#[test]
fn line_ends_blank_last_lines_and_the_order_of_the_header_do_not_matter() {
    let grid = parse_map(SMALL).unwrap();
    for same in [
        SMALL.replace('\n', "\r\n"),
        SMALL.trim_end().to_owned(),
        format!("{SMALL}\n\r\n  \n"),
        format!("\u{feff}{SMALL}"),
        SMALL.replace("height 2\nwidth 3", "width 3\nheight 2"),
        SMALL.replace("height 2", "height\t2 "),
    ] {
        assert_eq!(parse_map(&same).as_ref(), Ok(&grid), "{same:?}");
    }
}

#[test]
fn header_errors_have_the_kind_and_the_place_of_the_mistake() {
    let expected = MapErrorKind::Expected;
    let missing = MapErrorKind::MissingField("height");
    for (text, line, column, kind) in [
        ("", 1, 1, expected("`type octile`")),
        ("hello\n", 1, 1, expected("`type octile`")),
        (
            "type  tile\n",
            1,
            7,
            MapErrorKind::UnknownType("tile".into()),
        ),
        ("type octile", 2, 1, expected("`height`")),
        ("type octile\nheight 2\nmap\n", 3, 1, expected("`width`")),
        ("type octile\nwidth 2\nmap\n", 3, 1, expected("`height`")),
        (
            "type octile\nheight 2\nheight 2\n",
            3,
            1,
            MapErrorKind::Repeated("height"),
        ),
        ("type octile\nheight\n", 2, 7, missing),
        (
            "type octile\nheight 2 3\n",
            2,
            10,
            MapErrorKind::ExpectedLineEnd,
        ),
        (
            "type octile\nheight 2\nwidth 1\nrows\n",
            4,
            1,
            expected("`map`"),
        ),
        ("type octile\nheight 2\nwidth 1", 4, 1, expected("`map`")),
    ] {
        check_map_error(text, line, column, kind);
    }
}

#[test]
fn size_errors_have_the_kind_and_the_place_of_the_mistake() {
    for text in ["two", "-2", "2.0", "99999999999"] {
        check_map_error(
            &format!("type octile\nwidth {text}\n"),
            2,
            7,
            bad("width", text),
        );
    }
    let zero = "type octile\nheight 0\n";
    check_map_error(zero, 2, 8, MapErrorKind::Zero("height"));
    let (width, height) = (1 << 15, 1 << 14);
    let large = "type octile\nheight 16384\nwidth 32768\nmap\n";
    check_map_error(large, 3, 1, MapErrorKind::TooLarge { width, height });
}

#[test]
fn a_header_that_announces_too_many_rows_is_an_error() {
    let (expected, found) = (1 << 14, 1);
    let kind = MapErrorKind::TooFewRows { expected, found };
    check_map_error("type octile\nheight 16384\nwidth 1\nmap\n.", 6, 1, kind);
}

#[test]
fn row_errors_have_the_kind_and_the_place_of_the_mistake() {
    let row_width = |expected, found| MapErrorKind::RowWidth { expected, found };
    let with_rows = |rows: &str| format!("type octile\nheight 2\nwidth 3\nmap\n{rows}");
    check_map_error(&with_rows("...\n..\n"), 6, 3, row_width(3, 2));
    check_map_error(&with_rows("....\n...\n"), 5, 4, row_width(3, 4));
    check_map_error(&with_rows("\n...\n"), 5, 1, row_width(3, 0));
    let (expected, found) = (2, 1);
    let too_few = MapErrorKind::TooFewRows { expected, found };
    check_map_error(&with_rows("...\n"), 6, 1, too_few.clone());
    check_map_error(&with_rows("...\n\n\n"), 6, 1, too_few);
    let too_many = MapErrorKind::TooManyRows { expected: 2 };
    check_map_error(&with_rows("...\n...\n...\n"), 7, 1, too_many);
    for c in ['#', 'g', ' ', 'é', '\u{0}'] {
        let text = with_rows(&format!("...\n.{c}.\n"));
        check_map_error(&text, 6, 2, MapErrorKind::UnknownCharacter(c));
    }
}

#[test]
fn an_error_reads_as_a_sentence_with_its_place() {
    let error = parse_map("type octile\nheight 1\nwidth 3\nmap\n..\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 5, column 3: the row has 2 cells, but the map is 3 cells wide"
    );
}

#[test]
fn a_board_has_walls_costs_and_marks() {
    let map = parse_ascii("#@S \r\n.1a9\r\n\r\n").unwrap();
    let grid = &map.grid;
    assert_eq!((grid.width(), grid.height()), (4, 2));
    assert_eq!(write_ascii(grid), "##..\n...9\n");
    assert_eq!(grid.cost(Cell::new(3, 1)), 9);
    assert_eq!(map.marks, [('S', Cell::new(2, 0)), ('a', Cell::new(2, 1))]);
    assert_eq!(map.find('a'), Some(Cell::new(2, 1)));
    assert_eq!(map.find('b'), None);
}

#[test]
fn board_errors_have_the_kind_and_the_place_of_the_mistake() {
    let error = |text: &str| {
        let error = parse_ascii(text).unwrap_err();
        (error.line, error.column, error.kind)
    };
    let row_width = |expected, found| MapErrorKind::RowWidth { expected, found };
    assert_eq!(error(""), (1, 1, MapErrorKind::NoRows));
    assert_eq!(error("\n\r\n"), (1, 1, MapErrorKind::NoRows));
    for text in ["\n..\n..", "\r\n\r\n..\n"] {
        assert_eq!(error(text), (1, 1, MapErrorKind::EmptyFirstLine));
    }
    assert_eq!(error("..\n.\n"), (2, 2, row_width(2, 1)));
    assert_eq!(error("..\n...\n"), (2, 3, row_width(2, 3)));
    for c in ['0', '\t', 'é'] {
        let kind = MapErrorKind::UnknownCharacter(c);
        assert_eq!(error(&format!("..\n.{c}\n")), (2, 2, kind));
    }
}

#[test]
fn fields_of_a_scenario_are_separated_by_tabs_or_blanks() {
    let expected = Scenario {
        bucket: 3,
        map: "a/b.map".into(),
        width: 10,
        height: 20,
        start: Cell::new(9, 0),
        goal: Cell::new(0, 19),
        length: 21.5,
    };
    for text in [
        "version 1\n3\ta/b.map\t10\t20\t9\t0\t0\t19\t21.5\n",
        "version 1.0\r\n3 a/b.map  10 20 9 0 0 19 21.50000000\r\n\r\n\n",
        "version 1\n\n3 a/b.map\t10\t20 9 0 0 19 21.5",
    ] {
        assert_eq!(
            parse_scenarios(text).as_deref(),
            Ok(&[expected.clone()][..])
        );
    }
    let spaced = "version 1\n3\ta b.map\t10\t20\t9\t0\t0\t19\t21.5\n";
    assert_eq!(parse_scenarios(spaced).unwrap()[0].map, "a b.map");
}

#[test]
fn a_length_of_zero_between_different_cells_means_no_path() {
    let text = "version 1\n0 m 9 9 0 0 1 1 0\n0 m 9 9 1 1 1 1 0\n0 m 9 9 0 0 1 1 1.4\n";
    let scenarios = parse_scenarios(text).unwrap();
    let answers: Vec<bool> = scenarios.iter().map(Scenario::has_path).collect();
    assert_eq!(answers, [false, true, true]);
}

#[test]
fn scenario_errors_have_the_kind_and_the_place_of_the_mistake() {
    check_scenario_error("x m 9 9 0 0 1 1 1", 1, bad("bucket", "x"));
    check_scenario_error("0 m 9 -9 0 0 1 1 1", 7, bad("height", "-9"));
    check_scenario_error("0 m 9 9 0 0 1.5 1 1", 13, bad("goal x", "1.5"));
    check_scenario_error("0 m 9 9 0 0 1 1 far", 17, bad("length", "far"));
    check_scenario_error("0 m 9 9 0 0 1 1 -1", 17, bad("length", "-1"));
    check_scenario_error("0 m 9 9 0 0 1 1 NaN", 17, bad("length", "NaN"));
    check_scenario_error("0 m 0 9 0 0 1 1 1", 5, MapErrorKind::Zero("width"));
    check_scenario_error("0 m 9 9 0 0", 12, MapErrorKind::MissingField("goal x"));
    check_scenario_error("0 m 9 9 0 0 1 1 1 1", 19, MapErrorKind::ExpectedLineEnd);
    let (width, height) = (1 << 20, 1 << 20);
    let large = MapErrorKind::TooLarge { width, height };
    check_scenario_error("0 m 1048576 1048576 0 0 1 1 1", 5, large);
    let error = parse_scenarios("0 m 9 9 0 0 1 1 1\n").unwrap_err();
    assert_eq!((error.line, error.column), (1, 1));
}

#[test]
fn a_start_or_goal_one_past_the_edge_is_outside() {
    let outside = |x, y| MapErrorKind::Outside {
        cell: Cell::new(x, y),
        width: 9,
        height: 8,
    };
    check_scenario_error("0 m 9 8 9 0 1 1 1", 9, outside(9, 0));
    check_scenario_error("0 m 9 8 0 0 1 8 1", 13, outside(1, 8));
    check_scenario_error("0 m 9 8 0 0 -1 1 1", 13, outside(-1, 1));
}

fn any_grid() -> impl Strategy<Value = Grid> {
    (1..70_u32, 1..6_u32).prop_flat_map(|(width, height)| {
        let cells = prop::collection::vec(0..12_u8, (width * height) as usize);
        cells.prop_map(move |cells| {
            let mut builder = Grid::builder(width, height).unwrap();
            for (i, &kind) in cells.iter().enumerate() {
                let cell = Cell::new(i as i32 % width as i32, i as i32 / width as i32);
                builder.set_free(cell, kind > 2).unwrap();
                builder
                    .set_cost(cell, kind.saturating_sub(2).max(1))
                    .unwrap();
            }
            builder.build()
        })
    })
}

/// Text that is almost a map, so that the reader does not stop at its first line.
fn almost_a_map() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "type octile",
        "height 2",
        "width 3",
        "width 99999",
        "height 0",
        "map",
        "...",
        "..@",
        "TSW",
        "version 1",
        "0\tm\t9\t9\t0\t0\t1\t1\t1.5",
        "0 m 9 9 8 8 9 9 1",
        "",
        " ",
        "é\u{301}",
        "\r",
    ]);
    let line_end = prop::sample::select(vec!["\n", "\r\n", " ", "\t", ""]);
    prop::collection::vec((piece, line_end), 0..12)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

fn check_reading_does_not_panic(text: &str) {
    if let Ok(grid) = parse_map(text) {
        assert_eq!(parse_map(&write_map(&grid)), Ok(grid));
    }
    if let Ok(map) = parse_ascii(text) {
        assert_eq!(
            parse_ascii(&write_ascii(&map.grid)).unwrap().grid.rect(),
            map.grid.rect()
        );
    }
    if let Ok(scenarios) = parse_scenarios(text) {
        assert_eq!(parse_scenarios(&write_scenarios(&scenarios)), Ok(scenarios));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pursuit::oracle::cases(2000)))]

    #[test]
    fn no_text_makes_a_reader_panic(text in any::<String>(), almost in almost_a_map()) {
        check_reading_does_not_panic(&text);
        check_reading_does_not_panic(&almost);
    }

    #[test]
    fn a_damaged_map_makes_no_reader_panic(
        grid in any_grid(),
        at in any::<prop::sample::Index>(),
        c in any::<char>(),
    ) {
        for text in [write_map(&grid), write_ascii(&grid)] {
            let mut characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len());
            characters[at] = c;
            check_reading_does_not_panic(&characters.iter().collect::<String>());
            characters.truncate(at);
            check_reading_does_not_panic(&characters.iter().collect::<String>());
        }
    }
}

/// A few megabytes of line feeds, with or without text around them, are rejected without storing each line.
#[test]
fn millions_of_line_feeds_are_rejected_without_much_memory() {
    let (header, feeds) = (
        "type octile\nheight 9000000\nwidth 1\nmap\n.",
        "\n".repeat(1 << 23),
    );
    let texts = ["", ".", header].map(|first| [first, &feeds, "."].concat());
    let allocated = allocation_counter::measure(|| {
        for text in &texts {
            assert!(parse_ascii(text).is_err() && parse_map(text).is_err());
        }
        assert!(parse_ascii(&feeds).is_err() && parse_map(&feeds).is_err());
    });
    assert!(allocated.bytes_max < 1 << 16, "{allocated:?}");
}

proptest! {
    #[test]
    fn a_written_grid_parses_to_an_equal_grid(grid in any_grid()) {
        let free = |cell| grid.is_free(cell);
        let plain = Grid::from_fn(grid.width(), grid.height(), free).unwrap();
        prop_assert_eq!(parse_map(&write_map(&grid)), Ok(plain.clone()));
        prop_assert_eq!(parse_ascii(&write_ascii(&plain)).unwrap().grid, plain);

        let mut no_wall_costs = grid.to_builder();
        for cell in grid.rect().cells().filter(|&cell| !grid.is_free(cell)) {
            no_wall_costs.set_cost(cell, 1).unwrap();
        }
        let grid = no_wall_costs.build();
        prop_assert_eq!(parse_ascii(&write_ascii(&grid)).unwrap().grid, grid);
    }

    #[test]
    fn written_scenarios_parse_to_equal_scenarios(
        queries in prop::collection::vec(
            (any::<u32>(), "[^\\r\\n\\t]{0,12}", 1..5000_u32, 1..5000_u32, any::<[u16; 4]>(), 0.0..1e9),
            0..20,
        ),
    ) {
        let scenarios: Vec<Scenario> = queries
            .into_iter()
            .map(|(bucket, map, width, height, at, length)| {
                let on_map = |x: u16, y: u16| {
                    Cell::new((u32::from(x) % width) as i32, (u32::from(y) % height) as i32)
                };
                let (start, goal) = (on_map(at[0], at[1]), on_map(at[2], at[3]));
                Scenario { bucket, map, width, height, start, goal, length }
            })
            .collect();
        prop_assert_eq!(parse_scenarios(&write_scenarios(&scenarios)), Ok(scenarios));
    }
}
