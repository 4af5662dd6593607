//! Bodies as games build them, and events that are rare and true.
