//! Builds a web page of the examples in `target/web`, and tests each example in a headless browser.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::command::{command, output, read, run_line, succeed};
use crate::examples::{is_world, tiles};

/// The folders of the page, of the tools, and of the pictures of a test. Then the template of the page.
const PAGE_FOLDER: &str = "target/web";
const TOOLS_FOLDER: &str = "target/web-tools";
const PICTURES_FOLDER: &str = "target/web-test";
const TEMPLATE: &str = include_str!("index.html");
/// The file with the list of demos.
const DEMO_LIST: &str = "examples/web/main.rs";
const WASM_TARGET: &str = "wasm32-unknown-unknown";
const BUILD_COMMAND: &str =
    "cargo build --locked --profile web --package pursuit_examples --example web";
/// Packages from the npm registry: an optimizer for the size of the code, and a library that controls a browser.
const NPM_PACKAGES: &str = "binaryen@132.0.0 puppeteer-core@24.30.0";
/// The features of WebAssembly that Rust's compiler uses by default.
const WASM_FEATURES: &str = "--enable-bulk-memory --enable-multivalue --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext";
/// Names of the browsers to try.
const BROWSERS: [&str; 3] = ["chromium", "google-chrome", "chromium-browser"];
/// In these demos, everything stands still until the first touch: a tap on the canvas, or on a key of the page.
const FIRST_TOUCHES: [(&str, &str); 3] = [("ask", "tap"), ("click_to_move", "tap"), ("flee", "D")];
/// If something moves, more than this number of pixels change between two pictures.
const MIN_CHANGED_PIXELS: usize = 200;

/// A demo: its name, the first paragraph of its example's header, and its keys.
#[derive(Debug, PartialEq)]
struct Demo {
    name: String,
    title: String,
    keys: Vec<[String; 2]>,
}

/// Builds the page. If rustup cannot install the target for browsers, it prints a message and builds nothing.
///
/// # Errors
/// The tool that cannot be installed, or the command that failed.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    let add = format!("rustup target add {WASM_TARGET}");
    if let Err(why) = output(&mut command(root, &add)) {
        println!("web: SKIPPED: no standard library for {WASM_TARGET}: {why}");
        return Ok(());
    }
    run_line(root, &format!("{BUILD_COMMAND} --target {WASM_TARGET}"))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    lay_out(root)?;
    let options = format!("--target web --no-typescript --out-name demos --out-dir {PAGE_FOLDER}");
    let mut bindgen = command(root, &format!("{} {options}", bindgen(root)?));
    bindgen.arg(target.join(WASM_TARGET).join("web/examples/web.wasm"));
    succeed(bindgen)?;
    npm(root)?;
    let wasm = format!("{PAGE_FOLDER}/demos_bg.wasm");
    let optimizer = format!("{TOOLS_FOLDER}/node_modules/.bin/wasm-opt -Oz {WASM_FEATURES}");
    run_line(root, &format!("{optimizer} {wasm} -o {wasm}"))?;
    let size = fs::metadata(root.join(&wasm)).map_or(0, |file| file.len());
    println!("web: {wasm}, {:.1} MB", size as f64 / 1e6);
    Ok(())
}

/// Writes all files of the page except the compiled code. Files of an earlier build are removed.
fn lay_out(root: &Path) -> Result<(), String> {
    let page = root.join(PAGE_FOLDER);
    let named = |error: io::Error| format!("{PAGE_FOLDER}: {error}");
    let _ = fs::remove_dir_all(&page);
    let pictures = page.join("pictures");
    fs::create_dir_all(page.join("assets")).map_err(named)?;
    fs::create_dir_all(&pictures).map_err(named)?;
    run_line(root, &format!("cp -R assets/sprites {PAGE_FOLDER}/assets"))?;
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

/// Plays each demo of the page in a headless browser. Checks that it draws a world, that something moves, and that
/// nothing fails.
///
/// # Errors
/// The tool that is missing, the command that failed, or what is wrong with a demo.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    npm(root)?;
    let is_there =
        |browser: &&str| output(&mut command(root, &format!("{browser} --version"))).is_ok();
    let browser = BROWSERS.into_iter().find(is_there);
    let browser = browser.ok_or(format!(
        "web: none of the browsers {BROWSERS:?} is installed"
    ))?;
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
        return Err(format!("{name}: the picture does not show a world"));
    }
    let changed = before.pixels().zip(after.pixels()).filter(|(a, b)| a != b);
    match changed.count() {
        moved if moved > MIN_CHANGED_PIXELS => Ok(()),
        moved => Err(format!(
            "{name}: nothing moves, only {moved} pixels changed"
        )),
    }
}

/// Installs `wasm-bindgen`, which generates the code of the page from the compiled code, and returns its path. The
/// version equals the version of the library in `Cargo.lock`. `--locked` is left out, because the lock file of
/// `wasm-bindgen` may name versions that a mirror does not have.
fn bindgen(root: &Path) -> Result<String, String> {
    let lock = read(&root.join("Cargo.lock"))?;
    let entry = lock.split_once("name = \"wasm-bindgen\"\nversion = \"");
    let version = entry.and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    let version = version.ok_or("Cargo.lock: no wasm-bindgen")?;
    let install =
        format!("cargo install wasm-bindgen-cli --version {version} --root {TOOLS_FOLDER}");
    run_line(root, &install)?;
    Ok(format!("{TOOLS_FOLDER}/bin/wasm-bindgen"))
}

/// Installs both packages in one call, because npm removes packages that the call does not name.
fn npm(root: &Path) -> Result<(), String> {
    let install = format!("npm install --no-save --prefix {TOOLS_FOLDER} {NPM_PACKAGES}");
    run_line(root, &install)
}

/// All demos, with the title and keys from the headers of their files.
fn demos(root: &Path) -> Result<Vec<Demo>, String> {
    let list = read(&root.join(DEMO_LIST))?;
    let paths = list.lines().filter_map(|line| {
        let (name, path) = line.strip_prefix("    ")?.split_once(" \"../")?;
        Some((name.to_string(), path.strip_suffix('"')?.to_string()))
    });
    let demo = |(name, path)| Ok(demo(name, &read(&root.join("examples").join(path))?));
    paths.map(demo).collect()
}

/// Reads a demo from the header of its file: the first paragraph and the table of keys.
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
