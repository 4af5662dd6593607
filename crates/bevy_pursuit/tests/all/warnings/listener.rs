//! Listens to the warnings that the plugin logs.

use std::fmt;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use bevy::log::tracing::field::{Field, Visit};
use bevy::log::tracing::span::{Attributes, Id, Record};
use bevy::log::tracing::{Event, Level, Metadata, Subscriber, subscriber};

static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Collects the warnings of the plugin.
struct Listener;

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target().starts_with("bevy_pursuit::")
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Message;

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            warnings().push(format!("{value:?}"));
        }
    }
}

fn warnings() -> MutexGuard<'static, Vec<String>> {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts listening. Only one test listens at a time.
pub(super) fn listen() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    static LISTENER: Once = Once::new();
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    LISTENER.call_once(|| {
        subscriber::set_global_default(Listener).expect("there is no other listener");
    });
    warnings().clear();
    alone
}

/// The warnings since the last call.
pub(super) fn take_warnings() -> Vec<String> {
    std::mem::take(&mut *warnings())
}

/// Asserts that there was one warning since the last call, and that it contains all the words.
#[track_caller]
pub(super) fn assert_one_warning(words: &[&str]) {
    let warnings = take_warnings();
    let [warning] = &warnings[..] else {
        panic!("expected one warning, found {warnings:?}")
    };
    for word in words {
        assert!(warning.contains(word), "{word:?} is missing in {warning:?}");
    }
}

#[track_caller]
pub(super) fn assert_no_warnings() {
    assert_eq!(*warnings(), [""; 0]);
}
