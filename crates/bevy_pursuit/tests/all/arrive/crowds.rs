//! Crowds in small rooms, dead ends and doors come to rest, or are reported.
