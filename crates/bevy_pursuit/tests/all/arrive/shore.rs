//! Targets that cannot be reached are followed along the shore.
