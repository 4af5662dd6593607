//! A key that is pressed on a display, by the protocol of X11 and its extension XTEST.
//!
//! An Xvfb on this machine asks for no password (`-ac`) and listens at a socket that is named after its number.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::thread;
use std::time::Duration;

/// The number of the key F1 on the keyboard of an Xvfb.
pub(crate) const F1: u8 = 67;

/// How long each step may take: a game looks once per frame.
const HELD: Duration = Duration::from_millis(300);
/// Requests and events by their numbers.
const QUERY_EXTENSION: u8 = 98;
const FAKE_INPUT: u8 = 2;
const SET_INPUT_FOCUS: u8 = 42;
const GET_INPUT_FOCUS: u8 = 43;
/// Who hears of keys: nobody, or the window under the pointer.
const FOCUS: [u8; 2] = [0, 1];
const KEY_PRESS: u8 = 2;
const KEY_RELEASE: u8 = 3;

/// Presses a key on a display, named as `:99`, and lets it go.
///
/// # Errors
/// What the display does not answer, or that there is none on this machine.
pub(crate) fn press(display: &str, key: u8) -> std::result::Result<(), String> {
    let pressed = connect(display).and_then(|mut server| press_on(&mut server, key));
    pressed.map_err(|error| format!("a key for the display {display}: {error}"))
}

#[cfg(unix)]
fn connect(display: &str) -> Result<impl Read + Write> {
    let number = display.trim_start_matches(':');
    std::os::unix::net::UnixStream::connect(format!("/tmp/.X11-unix/X{number}"))
}

#[cfg(not(unix))]
fn connect(_display: &str) -> Result<std::net::TcpStream> {
    Err(Error::from(ErrorKind::Unsupported))
}

fn press_on(server: &mut (impl Read + Write), key: u8) -> Result<()> {
    // Little-endian, version 11.0, no password.
    server.write_all(&[b'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])?;
    let mut head = [0; 8];
    server.read_exact(&mut head)?;
    let words = u64::from(u16::from_le_bytes([head[6], head[7]]));
    std::io::copy(
        &mut Read::take(&mut *server, 4 * words),
        &mut std::io::sink(),
    )?;
    if head[0] != 1 {
        return Err(Error::from(ErrorKind::ConnectionRefused));
    }
    server.write_all(&[QUERY_EXTENSION, 0, 4, 0, 5, 0, 0, 0])?;
    server.write_all(b"XTEST\0\0\0")?;
    let extension = reply(server)?;
    let [is_there, number] = [extension[8], extension[9]];
    if is_there == 0 {
        return Err(Error::new(ErrorKind::Unsupported, "it has no XTEST"));
    }
    // A window is told that it has the focus when that changes. Here is no window manager to do so.
    for focus in FOCUS {
        server.write_all(&[SET_INPUT_FOCUS, 0, 3, 0, focus, 0, 0, 0, 0, 0, 0, 0])?;
    }
    settle(server)?;
    for event in [KEY_PRESS, KEY_RELEASE] {
        server.write_all(&fake_input(number, event, key))?;
        settle(server)?;
    }
    Ok(())
}

/// Waits until the display has done what was asked for, and the program has seen it.
fn settle(server: &mut (impl Read + Write)) -> Result<()> {
    server.write_all(&[GET_INPUT_FOCUS, 0, 1, 0])?;
    reply(server)?;
    thread::sleep(HELD);
    Ok(())
}

/// The next reply. Events are passed over: everybody is told when the keyboard changes.
fn reply(server: &mut impl Read) -> Result<[u8; 32]> {
    loop {
        let mut reply = [0; 32];
        server.read_exact(&mut reply)?;
        match reply[0] {
            1 => return Ok(reply),
            0 => return Err(Error::new(ErrorKind::InvalidData, "it refused a request")),
            _event => {}
        }
    }
}

/// The request for an event of a key, of 9 words.
fn fake_input(extension: u8, event: u8, key: u8) -> [u8; 36] {
    let mut request = [0; 36];
    request[..6].copy_from_slice(&[extension, FAKE_INPUT, 9, 0, event, key]);
    request
}

#[cfg(test)]
mod tests {
    use super::{F1, KEY_PRESS, KEY_RELEASE, QUERY_EXTENSION, fake_input, press_on};
    use std::io::{Read, Result, Write};

    /// A server that says what it is to say, and notes what it is told.
    struct Server {
        says: Vec<u8>,
        told: Vec<u8>,
    }

    impl Read for Server {
        fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
            let count = bytes.len().min(self.says.len());
            for (byte, said) in bytes.iter_mut().zip(self.says.drain(..count)) {
                *byte = said;
            }
            Ok(count)
        }
    }

    impl Write for Server {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.told.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    fn server(accepts: u8, has_extension: u8) -> Server {
        // Two words about screens, which are passed over.
        let mut says = vec![accepts, 0, 11, 0, 0, 0, 2, 0, 9, 9, 9, 9, 9, 9, 9, 9];
        let mut extension = [0; 32];
        (extension[0], extension[8], extension[9]) = (1, has_extension, 132);
        let mut focus = [0; 32];
        focus[0] = 1;
        let keyboard_changed = [34; 32];
        says.extend([extension, focus, keyboard_changed, focus, focus].concat());
        let told = Vec::new();
        Server { says, told }
    }

    #[test]
    fn a_key_goes_down_and_up_again() {
        let mut server = server(1, 1);
        press_on(&mut server, F1).expect("a key");
        assert_eq!(server.told[12], QUERY_EXTENSION);
        let events: Vec<_> = [KEY_PRESS, KEY_RELEASE]
            .iter()
            .flat_map(|event| [&fake_input(132, *event, F1)[..], &[43, 0, 1, 0]].concat())
            .collect();
        assert_eq!(server.told[28 + 24 + 4..], events);
        assert!(server.says.is_empty(), "all was read");
    }

    #[test]
    fn a_display_that_refuses_or_has_no_extension_is_an_error() {
        assert!(press_on(&mut server(0, 1), F1).is_err());
        assert!(press_on(&mut server(1, 0), F1).is_err());
    }
}
