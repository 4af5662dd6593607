//! Recordings of searches among cubes.

use fastrand::Rng;
use pursuit::oracle::cases;
use pursuit::{Cell, Grid, Outcome, PathOptions, SearchScratch, SearchSpace, Weights};
use pursuit_lab::recording::{RecordedSearch, Recording, RecordingError};
use pursuit_lab::replay::{Mark, Replay};
use pursuit_lab::voxels::{Movement, Voxel, VoxelBox, VoxelGrid, VoxelOptions, VoxelSpace};

use super::worlds::{any_volume, any_voxel, check_work, record};

fn any_options(rng: &mut Rng) -> VoxelOptions {
    let mut options = VoxelOptions::default();
    options.has_estimate = rng.bool();
    options.movement = match rng.u8(0..3) {
        0 => Movement::Fly,
        _ => Movement::Walk {
            climb: rng.u8(0..4),
        },
    };
    if rng.u8(0..4) == 0 {
        options.limits.weights = Weights {
            g: 2,
            h: rng.u16(0..6),
        };
    }
    options.limits.max_expanded = (rng.u8(0..6) == 0).then(|| rng.u32(1..40));
    options
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn a_recording_of_cubes_is_saved_and_replays_to_its_path() {
    let scratch = &mut SearchScratch::new();
    let (mut complete, mut layers) = (0, 0);
    for seed in 0..cases(1500) {
        let rng = &mut Rng::with_seed(seed);
        let (grid, options) = (any_volume(rng, 12), any_options(rng));
        let [start, goal] = [(); 2].map(|()| any_voxel(&grid, rng));
        let found = grid.find_path(start, goal, &options, scratch, &mut ());
        let recorded = record(&grid, [start, goal], &options, usize::MAX);
        let Ok(path) = found else {
            assert_eq!(recorded.map(|_| ()), found.map(|_| ()));
            continue;
        };
        let saved = recorded.unwrap().to_bytes();
        let recording = Recording::from_bytes(&saved).unwrap();
        assert_eq!(recording.to_bytes(), saved);
        assert!(!recording.is_cut());
        check_work(recording.counts(), path.stats);
        let search = recording.search();
        let voxels = search.voxels.unwrap();
        assert_eq!(
            (voxels.size(), voxels.movement()),
            (grid.size(), options.movement)
        );
        assert_eq!(
            [search.start, search.goal].map(|at| voxels.voxel(at)),
            [start, goal]
        );
        let end = recording.end().unwrap();
        let cubes = end.path.iter().map(|&at| voxels.voxel(at));
        assert!(cubes.eq(path.voxels.iter().copied()), "seed {seed}");
        assert_eq!((end.cost, end.outcome), (path.cost, path.outcome));
        // At the end, the parents lead from the start to the end of the path, at the cost of the path.
        let last = *end.path.last().unwrap();
        let mut replay = Replay::new(recording.clone());
        replay.seek(u32::MAX);
        assert_eq!(replay.mark(last), Mark::Path);
        let way: Vec<Voxel> = replay
            .way_to(last)
            .into_iter()
            .map(|at| voxels.voxel(at))
            .collect();
        assert_eq!(way[0], start);
        let space = VoxelSpace::new(&grid, options.movement, goal).unwrap();
        let mut walked = 0;
        for step in way.windows(2) {
            let from = grid.node(step[0]).unwrap();
            let mut cost = None;
            space.for_each_neighbor(from, step[0], |_, to, steps| {
                if to == step[1] {
                    cost = Some(u64::from(steps));
                }
            });
            walked += cost.expect("a step is not legal");
        }
        assert_eq!(walked, path.cost, "seed {seed}");
        if end.path.len() > 1 {
            assert_eq!(replay.cell(last).costs.unwrap().g, path.cost);
        }
        complete += usize::from(path.outcome == Outcome::Complete);
        layers += usize::from(path.voxels.windows(2).any(|step| step[0].z != step[1].z));
    }
    assert!(
        complete > cases(200) && layers > cases(100),
        "{complete} and {layers}"
    );
}

#[test]
fn bounds_of_weighted_searches_among_cubes_hold() {
    let scratch = &mut SearchScratch::new();
    let mut above = 0;
    for seed in 0..cases(3000) {
        let rng = &mut Rng::with_seed(seed);
        let grid = any_volume(rng, 12);
        let mut options = any_options(rng);
        options.limits.max_expanded = None;
        let [start, goal] = [(); 2].map(|()| any_voxel(&grid, rng));
        let Ok(recording) = record(&grid, [start, goal], &options, usize::MAX) else {
            continue;
        };
        let end = recording.end().unwrap();
        let mut best = VoxelOptions::default();
        best.movement = options.movement;
        let last = recording
            .search()
            .voxels
            .unwrap()
            .voxel(*end.path.last().unwrap());
        let best = grid
            .find_path(start, last, &best, scratch, &mut ())
            .unwrap();
        assert!(
            end.cost as f64 <= end.bound * best.cost as f64,
            "seed {seed}"
        );
        above += usize::from(end.bound > 1.0);
    }
    assert!(above > cases(20), "{above} searches were weighted");
}

#[test]
fn every_cube_has_its_own_cell() {
    let grid = VoxelGrid::from_fn(5, 3, 4, |_| false).unwrap();
    let ends = [Voxel::new(0, 0, 0), Voxel::new(4, 2, 3)];
    let search = RecordedSearch::voxels(&grid, ends[0], ends[1], &VoxelOptions::default());
    let search = search.unwrap();
    assert_eq!((search.width, search.height), (7, 30));
    let voxels = search.voxels.unwrap();
    let around = VoxelBox::new(Voxel::new(-2, -2, -2), Voxel::new(7, 5, 6));
    for voxel in around.voxels() {
        let cell = voxels.cell(voxel);
        assert_eq!(cell.is_some(), grid.node(voxel).is_some());
        assert_eq!(cell.map(|cell| voxels.voxel(cell)), cell.map(|_| voxel));
    }
    for far in [i32::MIN, i32::MAX] {
        let cell = Voxel::new(far, far, far);
        assert_eq!(voxels.cell(cell), None);
        let _ = voxels.voxel(Cell::new(far, far));
    }
    assert_eq!(
        RecordedSearch::voxels(
            &grid,
            ends[0],
            Voxel::new(5, 0, 0),
            &VoxelOptions::default()
        ),
        None
    );
}

#[test]
fn a_grid_whose_layers_fit_no_picture_is_refused() {
    // The grid has few cubes, but the picture also has a rim around each layer.
    let grid = VoxelGrid::from_fn(1, 16, 1 << 16, |_| false).unwrap();
    let (start, goal) = (Voxel::new(0, 0, 0), Voxel::new(0, 3, 9));
    let search = |grid| RecordedSearch::voxels(grid, start, goal, &VoxelOptions::default());
    assert!(search(&grid).is_some());
    let grid = VoxelGrid::from_fn(1, 1 << 10, 1 << 15, |_| false).unwrap();
    assert_eq!(search(&grid), None);
}

#[test]
fn cubes_that_do_not_match_the_size_of_the_recording_are_dropped() {
    let grid = VoxelGrid::from_fn(2, 1, 2, |_| false).unwrap();
    let (start, goal) = (Voxel::new(0, 0, 0), Voxel::new(1, 0, 1));
    let search = RecordedSearch::voxels(&grid, start, goal, &VoxelOptions::default()).unwrap();
    assert!(Recording::new(search.clone()).search().voxels.is_some());
    let flat = Grid::from_fn(9, 9, |_| true).unwrap();
    let ends = (Cell::new(0, 0), Cell::new(8, 8));
    let mut other = RecordedSearch::new(&flat, ends.0, ends.1, &PathOptions::default());
    other.voxels = search.voxels;
    let recording = Recording::new(other);
    assert_eq!(recording.search().voxels, None);
    // A forged recording is refused if its cubes do not match its size.
    let bytes = Recording::new(search).to_bytes();
    let body = &bytes[..bytes.len() - 8];
    let mut refused = 0;
    for at in 10..body.len() {
        for change in 1..=u8::MAX {
            let mut forged = body.to_vec();
            forged[at] ^= change;
            match Recording::from_bytes(&super::bytes::with_checksum(forged)) {
                Ok(loaded) => {
                    let (search, own) = (loaded.search(), loaded.search().voxels);
                    let size = own.map(|own| own.size().map(|side| side + 2));
                    let picture = size.map(|[x, y, z]| (x, y * z));
                    assert!(picture.is_none_or(|size| size == (search.width, search.height)));
                }
                Err(error) => {
                    assert!(matches!(error, RecordingError::Damaged(_)), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1000, "only {refused} were refused");
}
