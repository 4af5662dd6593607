//! The body and the grid that a question to `Navigation` is about.

#[cfg(doc)]
use crate::agent::NavAgent;
use crate::agent::NavBody;
use crate::grid::OnGrid;

/// The body that a question is about, and the grid to look at.
///
/// A radius in world units, a [`NavAgent`] and a [`NavBody`] convert to this type. To name the grid, pass a pair of one
/// of these and an [`OnGrid`] or `Option<OnGrid>`: `distance(from, to, (agent, OnGrid(grid)))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOnGrid {
    /// The body that the question is about.
    pub body: NavBody,
    /// The grid to look at. `None`: the grid is chosen as for an agent.
    pub grid: Option<OnGrid>,
}

impl<B: Into<NavBody>> From<B> for BodyOnGrid {
    fn from(body: B) -> Self {
        let body = body.into();
        Self { body, grid: None }
    }
}

impl<B: Into<NavBody>, G: Into<Option<OnGrid>>> From<(B, G)> for BodyOnGrid {
    fn from((body, grid): (B, G)) -> Self {
        let (body, grid) = (body.into(), grid.into());
        Self { body, grid }
    }
}
