//! The examples as a page for browsers, in `target/web`, and a headless browser that plays each of them.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::command::{command, output, read, succeed};
use crate::examples::{is_world, tiles};

/// What the page is made of, and where tools and pictures of a test lie.
const PAGE_FOLDER: &str = "target/web";
const TOOLS_FOLDER: &str = "target/web-tools";
const PICTURES_FOLDER: &str = "target/web-test";
const TEMPLATE: &str = include_str!("index.html");
/// The list of demos is read from here.
const DEMO_LIST: &str = "examples/web/main.rs";
const WASM_TARGET: &str = "wasm32-unknown-unknown";
const BUILD_COMMAND: &str =
    "cargo build --locked --profile web --package pursuit_examples --example web";
/// From the npm registry: an optimizer for size, and what drives a browser.
const NPM_PACKAGES: &str = "binaryen@132.0.0 puppeteer-core@24.30.0";
/// What Rust's compiler takes for granted in a browser.
const WASM_FEATURES: &str = "--enable-bulk-memory --enable-multivalue --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext";
/// Browsers that are looked for.
const BROWSERS: [&str; 3] = ["chromium", "google-chrome", "chromium-browser"];
/// In these, all stand still until somebody does something: a finger on the canvas, or on a key of the page.
const FIRST_TOUCHES: [(&str, &str); 3] = [("ask", "tap"), ("click_to_move", "tap"), ("flee", "D")];
/// A figure that walks changes more pixels than this.
const MIN_CHANGED_PIXELS: usize = 200;

/// A demo: its name, what its example begins with, and its keys.
#[derive(Debug, PartialEq)]
struct Demo {
    name: String,
    title: String,
    keys: Vec<[String; 2]>,
}

/// Builds the page. Where rustup cannot install the target for browsers, it prints a line and builds nothing.
///
/// # Errors
/// A tool that cannot be installed, or a command that failed.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    if let Err(why) = output(&mut command(
        root,
        &format!("rustup target add {WASM_TARGET}"),
    )) {
        println!("web: SKIPPED: no standard library for {WASM_TARGET}: {why}");
        return Ok(());
    }
    succeed(command(
        root,
        &format!("{BUILD_COMMAND} --target {WASM_TARGET}"),
    ))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    lay_out(root)?;
    let options = format!("--target web --no-typescript --out-name demos --out-dir {PAGE_FOLDER}");
    let mut bindgen = command(root, &format!("{} {options}", bindgen(root)?));
    bindgen.arg(target.join(WASM_TARGET).join("web/examples/web.wasm"));
    succeed(bindgen)?;
    npm(root)?;
    let wasm = format!("{PAGE_FOLDER}/demos_bg.wasm");
    let optimizer = format!("{TOOLS_FOLDER}/node_modules/.bin/wasm-opt -Oz {WASM_FEATURES}");
    succeed(command(root, &format!("{optimizer} {wasm} -o {wasm}")))?;
    let size = fs::metadata(root.join(&wasm)).map_or(0, |file| file.len());
    println!("web: {wasm}, {:.1} MB", size as f64 / 1e6);
    Ok(())
}

/// Writes the page except its code. What an earlier build left goes.
fn lay_out(root: &Path) -> Result<(), String> {
    let page = root.join(PAGE_FOLDER);
    let named = |error: io::Error| format!("{PAGE_FOLDER}: {error}");
    let _ = fs::remove_dir_all(&page);
    let pictures = page.join("pictures");
    fs::create_dir_all(page.join("assets")).map_err(named)?;
    fs::create_dir_all(&pictures).map_err(named)?;
    succeed(command(
        root,
        &format!("cp -R assets/sprites {PAGE_FOLDER}/assets"),
    ))?;
    let demos = demos(root)?;
    for Demo { name, .. } in &demos {
        let picture = format!("{name}.webp");
        let own = root.join("assets/pictures").join(&picture);
        if own.exists() {
            fs::copy(own, pictures.join(&picture)).map_err(named)?;
        }
    }
    let index = TEMPLATE.replace("DEMOS", &listed(&demos, &pictures));
    fs::write(page.join("index.html"), index).map_err(named)
}

/// Plays each demo of the page in a headless browser: it draws a world, something moves, nothing fails.
///
/// # Errors
/// What is missing or wrong, in the browser's words.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    npm(root)?;
    let is_there =
        |browser: &&str| output(&mut command(root, &format!("{browser} --version"))).is_ok();
    let browser = BROWSERS.into_iter().find(is_there);
    let browser = browser.ok_or(format!("web: none of {BROWSERS:?} is there"))?;
    let browser = output(&mut command(root, &format!("which {browser}")))?;
    let pictures = root.join(PICTURES_FOLDER);
    let _ = fs::remove_dir_all(&pictures);
    fs::create_dir_all(&pictures).map_err(|error| format!("{PICTURES_FOLDER}: {error}"))?;

    let mut play = command(root, "node xtask/src/web/play.cjs");
    play.env("NODE_PATH", root.join(TOOLS_FOLDER).join("node_modules"));
    play.args([browser.trim(), PAGE_FOLDER, PICTURES_FOLDER, ""]);
    let demos = demos(root)?;
    for Demo { name, .. } in &demos {
        let finger = FIRST_TOUCHES.iter().find(|(demo, _)| demo == name);
        play.arg(finger.map_or(name.clone(), |(_, finger)| format!("{name}:{finger}")));
    }
    succeed(play)?;
    demos
        .iter()
        .try_for_each(|demo| moves(&pictures, &demo.name))
}

/// Checks that the pictures of a demo show a world in which something moves.
fn moves(pictures: &Path, name: &str) -> Result<(), String> {
    let open = |number| image::open(pictures.join(format!("{name}-{number}.png")));
    let [before, after] = [1, 2].map(|number| open(number).map(|picture| picture.to_rgb8()));
    let named = |error| format!("{name}: {error}");
    let (before, after) = (before.map_err(named)?, after.map_err(named)?);
    if !is_world(&tiles(&after)) {
        return Err(format!("{name}: no world"));
    }
    let changed = before.pixels().zip(after.pixels()).filter(|(a, b)| a != b);
    match changed.count() {
        moved if moved > MIN_CHANGED_PIXELS => Ok(()),
        moved => Err(format!("{name}: nothing moves, {moved} pixels changed")),
    }
}

/// Installs the program that makes a page's code of compiled code, in the version that is compiled in. Where it is. Not
/// locked, because its lock file may name versions that a mirror does not have.
fn bindgen(root: &Path) -> Result<String, String> {
    let lock = read(&root.join("Cargo.lock"))?;
    let entry = lock.split_once("name = \"wasm-bindgen\"\nversion = \"");
    let version = entry.and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    let version = version.ok_or("Cargo.lock: no wasm-bindgen")?;
    let install =
        format!("cargo install wasm-bindgen-cli --version {version} --root {TOOLS_FOLDER}");
    succeed(command(root, &install))?;
    Ok(format!("{TOOLS_FOLDER}/bin/wasm-bindgen"))
}

/// Both at once: of what it is not asked for, npm makes room.
fn npm(root: &Path) -> Result<(), String> {
    let install = format!("npm install --no-save --prefix {TOOLS_FOLDER} {NPM_PACKAGES}");
    succeed(command(root, &install))
}

/// All demos, with what their files say at the beginning.
fn demos(root: &Path) -> Result<Vec<Demo>, String> {
    let list = read(&root.join(DEMO_LIST))?;
    let paths = list.lines().filter_map(|line| {
        let (name, path) = line.strip_prefix("    ")?.split_once(" \"../")?;
        Some((name.to_string(), path.strip_suffix('"')?.to_string()))
    });
    let demo = |(name, path)| Ok(demo(name, &read(&root.join("examples").join(path))?));
    paths.map(demo).collect()
}

/// A demo by the header of its file: the first paragraph, and a table of keys.
fn demo(name: String, file: &str) -> Demo {
    let header = file.lines().map_while(|line| line.strip_prefix("//!"));
    let header: Vec<&str> = header.map(str::trim).collect();
    let title = header
        .split(|line| line.is_empty())
        .next()
        .unwrap_or_default();
    let rows = header
        .iter()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let cells = rows.skip(2).filter_map(|row| row.split_once('|'));
    let keys = cells.map(|(key, what)| [key, what].map(|cell| cell.trim().to_string()));
    Demo {
        name,
        title: title.join(" ").replace('`', ""),
        keys: keys.collect(),
    }
}

fn listed(demos: &[Demo], pictures: &Path) -> String {
    let list = demos.iter().map(|Demo { name, title, keys }| {
        let has_picture = pictures.join(format!("{name}.webp")).exists();
        serde_json::json!({ "name": name, "title": title, "keys": keys, "hasPicture": has_picture })
    });
    serde_json::Value::Array(list.collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Demo, demo, demos};

    #[test]
    fn the_page_has_every_example_that_needs_no_files() {
        let root = crate::root();
        let mut all = crate::examples::names(&root).expect("a manifest");
        all.retain(|name| !["save_load", "web"].contains(&name.as_str()));
        let demos = demos(&root).expect("the examples");
        let mut names: Vec<&String> = demos.iter().map(|demo| &demo.name).collect();
        all.sort();
        names.sort();
        assert_eq!(names, all.iter().collect::<Vec<_>>());
        for Demo { name, title, keys } in &demos {
            assert!(!title.is_empty() && !keys.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_header_gives_a_title_and_keys() {
        let file = "//! Run:\n//! `Flee`.\n//!\n//! | Key | |\n//! |---|---|\n//! | A B | walk |\n\nuse x;\n";
        let expected = Demo {
            name: "flee".to_string(),
            title: "Run: Flee.".to_string(),
            keys: vec![["A B", "walk"].map(String::from)],
        };
        assert_eq!(demo("flee".to_string(), file), expected);
    }
}
