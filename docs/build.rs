//! Writes the code of each recipe into a separate file, which the tests include and run.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let page = fs::read_to_string("src/recipes.md")?;
    let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
    for (number, code) in page.split("```rust\n").skip(1).enumerate() {
        let code = code.split("```").next().unwrap_or_default();
        fs::write(Path::new(&folder).join(format!("{number}.rs")), code)?;
    }
    Ok(())
}
