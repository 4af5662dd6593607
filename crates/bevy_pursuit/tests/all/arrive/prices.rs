//! Agents that could not get through somewhere make other agents choose another way.
