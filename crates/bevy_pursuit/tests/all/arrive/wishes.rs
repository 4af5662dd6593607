//! A wish that gains nothing yields to the next one, and a changed wish stops nobody.
