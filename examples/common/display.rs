//! Whether there is a screen to play on.

use std::ffi::OsStr;

/// Whether a window can be opened. Must be known before winit starts: it panics without a display.
pub fn has_display() -> bool {
    if cfg!(all(unix, not(target_os = "macos"))) {
        // X11 alone: the example is built without Wayland.
        std::env::var_os("DISPLAY").is_some_and(|name| is_display(&name))
    } else {
        true
    }
}

/// Whether an X server answers. One on another host, or with a name of an unknown form, is believed.
fn is_display(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let Some(local) = name.strip_prefix(':') else {
        return !name.is_empty();
    };
    let number = local.split('.').next().unwrap_or(local);
    is_listening(&format!("/tmp/.X11-unix/X{number}"))
}

#[cfg(target_os = "linux")]
fn is_listening(socket: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};

    let in_files = || UnixStream::connect(socket);
    let abstract_name = SocketAddr::from_abstract_name(socket);
    in_files().is_ok() || abstract_name.is_ok_and(|name| UnixStream::connect_addr(&name).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn is_listening(socket: &str) -> bool {
    std::path::Path::new(socket).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_display_that_answers_counts() {
        assert!(!is_display("".as_ref()), "an empty name is no display");
        assert!(!is_display(":4321".as_ref()), "nobody listens there");
        assert!(
            is_display("far.example:0".as_ref()),
            "cannot be told from here"
        );
    }
}
