//! The kinds of ground that a game has.

use std::borrow::Cow;

use bevy::prelude::*;

/// A kind of ground: an index into [`NavAreas`]. 0 is plain ground.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
pub struct AreaId(pub u8);

impl AreaId {
    /// Plain ground: everything that is in no [`NavArea`](super::NavArea).
    pub const PLAIN: Self = Self(0);
}

/// Properties of a kind of ground.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct AreaInfo {
    /// The name, which tools show.
    pub name: Cow<'static, str>,
    /// Cost of crossing the area, as a multiple of the cost of plain ground, for classes of agents without a cost of
    /// their own. At least 1/16, rounded to sixteenths. A cost of 16 or more is lowered to the highest cost, 15 and
    /// 15/16. With an infinite cost, no agent may enter the area.
    ///
    /// Raise the cost to send agents around the area. With a cost below 1, agents make detours to walk on it. The cost
    /// does not change the speed of agents: for that see [`Navigation::area_at`](crate::Navigation::area_at).
    pub cost: f32,
    /// Color of the area in the debug overlay.
    pub color: Color,
}

/// The kinds of ground in a game, indexed by [`AreaId`].
///
/// [`NavArea`](super::NavArea)s define where each kind lies, and [`AgentClasses`](super::AgentClasses) what it costs
/// each class of agents. A change takes effect in the next tick, even while a bake runs.
///
/// Default: only plain ground.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// fn setup(mut commands: Commands, mut areas: ResMut<NavAreas>) {
///     let mud = areas.add("mud", 2.5, Color::srgb(0.45, 0.3, 0.15));
///     commands.spawn((
///         NavObstacle::circle(40.0),
///         NavArea::new(mud),
///         Transform::from_xyz(100.0, 0.0, 0.0),
///     ));
/// }
/// ```
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct NavAreas {
    /// The kinds of ground, indexed by [`AreaId`]. Only the first 256 can be used.
    pub all: Vec<AreaInfo>,
}

impl Default for NavAreas {
    fn default() -> Self {
        let mut areas = Self { all: Vec::new() };
        areas.add("plain ground", 1.0, Color::NONE);
        areas
    }
}

impl NavAreas {
    /// Adds a kind of ground with the name that tools show, its cost as a multiple of the cost of plain ground, and its
    /// color in the overlay. Returns its id. After 256 kinds, further kinds get the id of plain ground.
    pub fn add(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        cost: f32,
        color: impl Into<Color>,
    ) -> AreaId {
        let id = u8::try_from(self.all.len());
        self.all.push(AreaInfo {
            name: name.into(),
            cost,
            color: color.into(),
        });
        id.map_or(AreaId::PLAIN, AreaId)
    }

    /// The properties of an area.
    pub fn get(&self, area: AreaId) -> Option<&AreaInfo> {
        self.all.get(usize::from(area.0))
    }

    /// The first area with this name.
    pub fn find(&self, name: &str) -> Option<AreaId> {
        let number = self.all.iter().position(|one| one.name == name)?;
        u8::try_from(number).ok().map(AreaId)
    }
}
