//! Each agent arrives, or an event says why not: blocked doors, targets out of reach, flights that gain nothing, crowds
//! in small rooms.

mod bodies;
mod crowds;
mod flights;
mod goals;
mod prices;
mod queues;
mod shore;
mod stops;
