//! Tests of the command line, and of the keys of all reports.

pub(crate) mod fixture;
mod goldens;

use super::{Cli, Command, peers::PEERS};
use crate::chase::{AgentBody, ChasePlan};
use crate::edit::{self, EditPlan};
use crate::horde::settle::{self, SettleScene};
use crate::horde::{Avoidance, Scene, door};
use crate::requests::RequestsPlan;
use crate::{ask, bake, chase, feel, field, horde, requests, search};
use clap::{CommandFactory, Parser};
use fixture::{Folder, HOUSE, common, play};
use serde_json::Value;

fn parsed(line: &str) -> Result<Cli, clap::Error> {
    let words = line.split_whitespace();
    Cli::try_parse_from(["pursuit_bench"].into_iter().chain(words))
}

#[test]
fn the_command_line_accepts_valid_options_and_refuses_invalid_ones() {
    Cli::command().debug_assert();
    for good in [
        "chase --map x --agents 100000 --threads 2 --compute-threads 2 --json out.json",
        "requests --map x --threads 2 --compute-threads 2",
        "bake --map x --threads 2 --compute-threads 2",
        "horde --map x --agents 100000 --seconds 9 --seed 2 --avoidance none --scene point --body dynamic",
        "curve --map x --agents 10,100 --seconds 3 --peers --within 9 --most-ms 500",
        "door --width 2.2 --agents 50 --seeds 3 --seed 7 --body kinematic --rate 144",
        "settle --scene leaves --agents 2000 --seed 4",
    ] {
        assert!(parsed(good).is_ok(), "{good}");
    }
    for bad in [
        "search --maps x --every 0",
        "search --maps x --peers --peers-every 0",
        "search --maps x --peers-every 3",
        "chase --map x --agents 0",
        "chase --map x --agents 100001",
        "chase --map x --threads 0",
        "edit --map x --seconds 0",
        "edit --map x --seconds=-1",
        "edit --map x --seconds inf",
        "chase --map x --seconds NaN",
        "horde --map x --scene dance",
        "curve --map x --agents 10,0",
        "door --agents 3",
        "door --width 0",
        "settle --agents 3",
    ] {
        assert!(parsed(bad).is_err(), "{bad}");
    }
}

#[test]
fn peers_can_be_named_and_each_game_has_its_own_defaults() {
    for (flag, count) in [("--peers", 0), ("--peers=pathfinding,bevy-northstar", 2)] {
        match parsed(&format!("search --maps x {flag}")).unwrap().command {
            Command::Search(plan) => assert_eq!(plan.peers.unwrap().len(), count),
            _ => unreachable!("search was asked for"),
        }
    }
    let plays = ["chase", "edit", "horde"].map(|game| {
        let play = match parsed(&format!("{game} --map x")).unwrap().command {
            Command::Chase(plan) => plan.play,
            Command::Edit(plan) => plan.play,
            Command::Horde(plan) => plan.play,
            _ => unreachable!("a game was asked for"),
        };
        (play.agents, play.seconds, play.pace)
    });
    assert_eq!(
        plays,
        [(30, 300.0, 10.0), (200, 30.0, 1.0), (5000, 20.0, 1.0)]
    );
}

/// Collects the paths of the keys of a report. All rows of a list have the same path.
fn keys(path: &str, value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Object(parts) => {
            for (key, part) in parts {
                keys(&format!("{path}.{key}"), part, all);
            }
        }
        Value::Array(rows) if rows.iter().any(Value::is_object) => {
            rows.iter()
                .for_each(|row| keys(&format!("{path}[]"), row, all));
        }
        _ => all.push(path.to_string()),
    }
}

/// Scripts read these keys, and the records of earlier runs use them, so no key may disappear.
#[test]
fn every_key_of_earlier_reports_is_written() {
    let folder = Folder::new("keys");
    let mut all = Vec::new();
    let body = AgentBody::Transform;
    // All tests write their maps to the same file, so each benchmark runs before the next map is written.
    let chase = chase::run(&ChasePlan {
        play: play(&folder, HOUSE, 5, 60.0, 1),
        body,
        stages: true,
        share_fields: true,
        terrain: true,
    });
    let edit = edit::run(&EditPlan {
        play: play(&folder, &edit::tests::halls(), 4, 8.0, 3),
        body,
        edits_per_second: 6.0,
        movers: 0,
        ground: false,
        all_catch: false,
    });
    let feel = feel::run(&feel::tests::plan(&folder, 1));
    let horde = horde::run(&horde::tests::plan(
        &folder,
        Avoidance::Separation,
        Scene::Spread,
    ));
    let door = door::run(&door::tests::plan(2.0));
    let settle = settle::run(&settle::tests::plan(SettleScene::Open));
    let field = field::run(&field::tests::plan(&folder));
    let requests = requests::run(&RequestsPlan {
        deep_bake: true,
        ..requests::tests::plan(&folder, HOUSE)
    });
    let ask = ask::run(&ask::tests::plan(common(&folder, HOUSE, 1)));
    let bake = bake::run(&bake::tests::plan(&folder), PEERS);
    let search = search::run(&search::tests::plan(&folder, [4.0, 1.0]), PEERS);
    let reports = [
        ("chase", chase),
        ("edit", edit),
        ("feel", feel),
        ("horde", horde),
        ("door", door),
        ("settle", settle),
        ("field", field),
        ("requests", requests),
        ("ask", ask),
        ("bake", bake),
        ("search", search),
    ];
    for (name, report) in reports {
        keys(name, &report.unwrap().figures, &mut all);
    }
    for key in include_str!("../keys.txt").lines() {
        assert!(all.iter().any(|known| known == key), "{key} is missing");
    }
}
