//! All examples in one program for browsers, which `cargo xtask web` builds. The page's address chooses the example to
//! play, such as `?demo=chase`. Each example is still a program with a `main` of its own.
//!
//! | Key | |
//! |---|---|
//! | the keys of the example | |

/// Declares a module for each example, from its file, and a function that plays one of them.
#[cfg(target_arch = "wasm32")]
macro_rules! demos {
    ($($name:ident $path:literal)*) => {
        $(#[path = $path] mod $name;)*

        fn play(demo: &str) {
            match demo {
                $(stringify!($name) => drop($name::main()),)*
                _ => {}
            }
        }
    };
}

#[cfg(target_arch = "wasm32")]
demos! {
    chase "../chase/main.rs"
    horde "../horde/main.rs"
    minimal "../minimal.rs"
    guard "../guard.rs"
    knockback "../knockback.rs"
    flee "../flee.rs"
    doors "../doors.rs"
    terrain "../terrain.rs"
    archer "../archer.rs"
    ring "../ring.rs"
    tilemap "../tilemap.rs"
    click_to_move "../click_to_move.rs"
    ghost "../ghost.rs"
    campus "../campus.rs"
    ask "../ask.rs"
    own_driver "../own_driver.rs"
    fixed_timestep "../fixed_timestep.rs"
    lab "../lab/main.rs"
}

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        let window = web_sys::window();
        let query = window.and_then(|window| window.location().search().ok());
        let query = query.unwrap_or_default();
        play(query.strip_prefix("?demo=").unwrap_or("chase"));
    }
}
