//! A game in which anything can happen.

use bevy::platform::collections::HashMap;

use super::fields::{WritableComponent, writable_components};
use crate::common::*;

/// Side length of the world, in world units.
pub(crate) const SIDE: f32 = 48.0;
/// The maximum number of agents.
pub(crate) const MAX_CROWD: usize = 200;
/// The maximum number of agents where nearly all chase one target.
pub(crate) const MAX_HORDE: usize = 450;
/// A layer without obstacles.
pub(crate) const EMPTY_LAYER: ObstacleLayers = ObstacleLayers(1 << 20);

/// Two grids: one that contains the walls, and a larger one around it without obstacles.
pub(crate) fn nav_grids() -> [NavGrid; 2] {
    let own = Rect::new(0.0, 0.0, SIDE, SIDE);
    let around = nav_grid(own.inflate(6.0), 0.5);
    [nav_grid(own, 0.5), around.with_obstacles(EMPTY_LAYER)]
}

/// Adds mud and water, and classes for which these cost little or are forbidden.
pub(crate) fn add_ground(world: &mut World) {
    let mut areas = world.resource_mut::<NavAreas>();
    let (mud, water) = (
        areas.add("mud", 2.0, Color::BLACK),
        areas.add("water", 4.0, Color::BLACK),
    );
    let mut classes = world.resource_mut::<AgentClasses>();
    let swimmer = AgentClass::default().with_cost(water, 0.5);
    let muddy = AgentClass::default().with_cost(mud, 1.0).forbidding(water);
    classes.all.extend([swimmer, muddy]);
}

/// The game and its entities, sorted by what they are.
pub(crate) struct Chaos {
    pub(crate) app: App,
    pub(crate) grids: [Entity; 2],
    pub(crate) agents: Vec<Entity>,
    pub(crate) requests: Vec<Entity>,
    pub(crate) targets: Vec<Entity>,
    pub(crate) walls: Vec<Entity>,
    pub(crate) open: Vec<WritableComponent>,
    /// For each agent, the number of frames for which it has stood although it wants to walk.
    pub(crate) frozen: HashMap<Entity, usize>,
    /// For each target, its position and the frame in which it last moved.
    pub(crate) moved: HashMap<Entity, (Vec2, usize)>,
    pub(crate) now: usize,
    pub(crate) random: fastrand::Rng,
    pub(crate) is_horde: bool,
}

impl Chaos {
    pub(crate) fn new(mode: PlanMode, seed: u64) -> Self {
        Self::with_horde(mode, seed, false)
    }

    /// Creates a game with many agents that nearly all chase one target, or with fewer agents that chase many targets.
    pub(crate) fn with_horde(mode: PlanMode, seed: u64, is_horde: bool) -> Self {
        let mut app = game(60.0, mode);
        add_gates(&mut app);
        add_ground(app.world_mut());
        let grids = nav_grids().map(|nav| spawn(&mut app, nav));
        let mut chaos = Self {
            open: writable_components(&app),
            app,
            grids,
            agents: Vec::new(),
            requests: Vec::new(),
            targets: Vec::new(),
            walls: Vec::new(),
            frozen: HashMap::default(),
            moved: HashMap::default(),
            now: 0,
            random: fastrand::Rng::with_seed(seed),
            is_horde,
        };
        let (targets, agents) = if is_horde { (1, 400) } else { (12, 60) };
        for _ in 0..targets {
            chaos.spawn_target();
        }
        for _ in 0..40 {
            chaos.spawn_wall();
        }
        for _ in 0..agents {
            chaos.spawn_agent();
        }
        chaos
    }

    pub(crate) fn max_agents(&self) -> usize {
        if self.is_horde { MAX_HORDE } else { MAX_CROWD }
    }

    /// The number of agents whose status is `Found`, and that have no path of their own.
    pub(crate) fn count_flowing(&self) -> usize {
        let flows = |agent: &&Entity| {
            let path = get::<NavPath>(&self.app, **agent);
            path.waypoints().len() == 0 && status(&self.app, **agent) == PathStatus::Found
        };
        self.agents.iter().filter(flows).count()
    }

    /// Whether the next agent joins the horde. In a horde, one in eight agents gets another goal.
    pub(crate) fn joins_horde(&mut self) -> bool {
        self.is_horde && self.random.u32(0..8) > 0
    }

    /// A frame in which anything can happen.
    pub(crate) fn frame(&mut self) {
        for _ in 0..self.random.usize(0..6) {
            self.act();
        }
        self.walk_targets();
        self.update();
    }

    pub(crate) fn quiet_frame(&mut self) {
        self.update();
        let world = self.app.world_mut();
        let mut agents = world.query::<(Entity, &NavAgent, &Locomotion, &DesiredVelocity)>();
        for (entity, agent, locomotion, desired) in agents.iter(self.app.world()) {
            let may_walk = *locomotion == Locomotion::Moving && agent.speed > 0.0;
            let is_frozen = may_walk && desired.0 == Vec3::ZERO;
            let frozen = self.frozen.entry(entity).or_default();
            *frozen = if is_frozen { *frozen + 1 } else { 0 };
        }
    }

    fn update(&mut self) {
        tick(&mut self.app);
        self.now += 1;
        let all = self.targets.iter().chain(&self.agents);
        for entity in all.copied().collect::<Vec<_>>() {
            let here = position(&self.app, entity);
            let (there, since) = self.moved.entry(entity).or_insert((here, self.now));
            if there.distance(here) > 1e-3 {
                (*there, *since) = (here, self.now);
            }
        }
    }

    /// Enables everything, opens all gates, and repairs invalid grids.
    pub(crate) fn calm_down(&mut self) {
        set_gates(&mut self.app, [true; 6]);
        let world = self.app.world_mut();
        remove_from_all::<Disabled>(world);
        remove_from_all::<NavPaused>(world);
        for (grid, nav) in self.grids.into_iter().zip(nav_grids()) {
            let mut grid = world.entity_mut(grid);
            if grid
                .get::<NavGrid>()
                .is_none_or(|nav| nav.validate().is_err())
            {
                grid.insert(nav);
            }
        }
        self.frozen.clear();
    }

    /// Asserts that the number of waiting requests is bounded by the number of agents.
    pub(crate) fn assert_queue_is_bounded(&self, context: &str) {
        let stats = stats(&self.app);
        let bound = 3 * (self.max_agents() + 50);
        assert!(
            stats.queued <= bound && stats.tasks_in_flight <= bound,
            "{context}: the queue grows: {} requests wait, {} tasks run, frame {}",
            stats.queued,
            stats.tasks_in_flight,
            self.now
        );
    }

    /// Asserts that after some quiet frames no request waits and no agent stands although it wants to walk.
    pub(crate) fn assert_at_rest(&self, context: &str) {
        let stats = stats(&self.app);
        // An agent that flees or chases a moving target may search in any frame.
        assert!(
            stats.queued <= 20 && stats.tasks_in_flight <= 20,
            "{context}: after quiet frames {} requests still wait and {} tasks still run",
            stats.queued,
            stats.tasks_in_flight
        );
        for (agent, frames) in &self.frozen {
            assert!(
                *frames < 90,
                "{context}: {agent} is Moving but has stood for {frames} frames, {:?} at {}",
                status(&self.app, *agent),
                position(&self.app, *agent)
            );
        }
    }

    /// Asserts that in quiet frames, the only agents that search are stuck, have a moving goal, or have a short repath
    /// interval.
    pub(crate) fn assert_few_searches(&self, searched: u64, frames: usize, context: &str) {
        let restless = self.agents.iter().filter(|agent| self.is_restless(**agent));
        let restless = restless.count() as u64;
        // An agent with the shortest interval searches five times per second. Other agents search less often.
        let bound = 20 + restless * (frames as u64 / 12 + 2);
        assert!(
            searched <= bound,
            "{context}: {searched} searches in {frames} quiet frames, {restless} of {} agents are \
             restless",
            self.agents.len()
        );
    }

    fn is_restless(&self, agent: Entity) -> bool {
        let entity = self.app.world().entity(agent);
        let chase = entity.get::<Chase>();
        let moves = chase.is_some_and(|chase| {
            let moved = self.moved.get(&chase.target);
            is_frequent(chase.repath) || moved.is_some_and(|(_, since)| self.now - since < 200)
        });
        let request = entity.get::<PathRequest>();
        moves
            || entity.contains::<Flee>()
            || request.is_some_and(|request| is_frequent(request.repath))
            || locomotion(&self.app, agent) == Locomotion::Stuck
    }
}

fn remove_from_all<C: Component>(world: &mut World) {
    let mut with = world.query_filtered::<Entity, With<C>>();
    for entity in with.iter(world).collect::<Vec<_>>() {
        world.entity_mut(entity).remove::<C>();
    }
}

/// Whether the policy searches at least once per second even if nothing changes.
pub(crate) fn is_frequent(repath: RepathPolicy) -> bool {
    matches!(repath, RepathPolicy::Every(interval) if interval <= Duration::from_secs(1))
}
