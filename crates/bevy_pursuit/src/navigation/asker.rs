//! For whom a question is asked.

use crate::agent::{NavAgent, NavBody};
use crate::grid::OnGrid;

/// A body, and the grid that is asked where a certain one is meant: else that which an agent would plan on.
///
/// Made of a radius, an agent or a [`NavBody`], and of one of these beside an [`OnGrid`] or an `Option` of it:
/// `distance(from, to, (agent, OnGrid(grid)))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asker {
    /// The body that walks or stands there.
    pub body: NavBody,
    /// The grid that is asked.
    pub grid: Option<OnGrid>,
}

impl From<NavBody> for Asker {
    fn from(body: NavBody) -> Self {
        Self { body, grid: None }
    }
}

impl From<f32> for Asker {
    fn from(radius: f32) -> Self {
        NavBody::from(radius).into()
    }
}

impl From<&NavAgent> for Asker {
    fn from(agent: &NavAgent) -> Self {
        NavBody::from(agent).into()
    }
}

impl From<NavAgent> for Asker {
    fn from(agent: NavAgent) -> Self {
        NavBody::from(agent).into()
    }
}

impl<B: Into<NavBody>, G: Into<Option<OnGrid>>> From<(B, G)> for Asker {
    fn from((body, grid): (B, G)) -> Self {
        Self {
            body: body.into(),
            grid: grid.into(),
        }
    }
}
