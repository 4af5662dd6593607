//! A game in which anything happens.

use bevy::platform::collections::HashMap;

use super::fields::{Open, open_components};
use crate::common::*;

/// Side of the world, in world units.
pub(crate) const SIDE: f32 = 48.0;
/// Most agents at a time.
pub(crate) const CROWD: usize = 200;
/// The same where nearly all chase one target.
pub(crate) const HORDE: usize = 450;
/// A layer that nothing is in.
pub(crate) const NOTHING: ObstacleLayers = ObstacleLayers(1 << 20);

/// The grids: one that knows the walls, and a larger one around it that is blind.
pub(crate) fn nav_grids() -> [NavGrid; 2] {
    let own = Rect::new(0.0, 0.0, SIDE, SIDE);
    let around = nav_grid(own.inflate(6.0), 0.5);
    [nav_grid(own, 0.5), around.with_obstacles(NOTHING)]
}

/// Mud, water, and classes to which they are nothing much or forbidden.
pub(crate) fn lay_ground(world: &mut World) {
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

/// The game, and the entities in it by what they are.
pub(crate) struct Chaos {
    pub(crate) app: App,
    pub(crate) grids: [Entity; 2],
    pub(crate) agents: Vec<Entity>,
    pub(crate) requests: Vec<Entity>,
    pub(crate) targets: Vec<Entity>,
    pub(crate) walls: Vec<Entity>,
    pub(crate) open: Vec<Open>,
    /// For how many frames each agent wanted to walk and was told to stand.
    pub(crate) frozen: HashMap<Entity, usize>,
    /// When each target was somewhere else last.
    pub(crate) moved: HashMap<Entity, (Vec2, usize)>,
    pub(crate) now: usize,
    pub(crate) random: fastrand::Rng,
    pub(crate) is_horde: bool,
}

impl Chaos {
    pub(crate) fn new(mode: PlanMode, seed: u64) -> Self {
        Self::of(mode, seed, false)
    }

    /// Of many who nearly all chase one target, or of fewer who chase many.
    pub(crate) fn of(mode: PlanMode, seed: u64, is_horde: bool) -> Self {
        let mut app = game(60.0, mode);
        add_gates(&mut app);
        lay_ground(app.world_mut());
        let grids = nav_grids().map(|nav| spawn(&mut app, nav));
        let mut chaos = Self {
            open: open_components(&app),
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

    pub(crate) fn most_agents(&self) -> usize {
        if self.is_horde { HORDE } else { CROWD }
    }

    /// How many have a way and no path of their own.
    pub(crate) fn flowing(&self) -> usize {
        let flows = |agent: &&Entity| {
            let path = get::<NavPath>(&self.app, **agent);
            path.waypoints().len() == 0 && status(&self.app, **agent) == PathStatus::Found
        };
        self.agents.iter().filter(flows).count()
    }

    /// One in so many of those who are sent is sent to something else than its target.
    pub(crate) fn is_one_of_many(&mut self) -> bool {
        self.is_horde && self.random.u32(0..8) > 0
    }

    /// A frame in which anything may happen.
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
        for (entity, agent, legs, desired) in agents.iter(self.app.world()) {
            let may_walk = *legs == Locomotion::Moving && agent.speed > 0.0;
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

    /// Enables everything, opens all gates, mends what makes no sense.
    pub(crate) fn calm_down(&mut self) {
        set_gates(&mut self.app, [true; 6]);
        let world = self.app.world_mut();
        take_off::<Disabled>(world);
        take_off::<NavPaused>(world);
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

    /// What was asked for while all stages run is bounded by who is there to ask.
    pub(crate) fn assert_queue_is_bounded(&self, what: &str) {
        let stats = stats(&self.app);
        let bound = 3 * (self.most_agents() + 50);
        assert!(
            stats.queued <= bound && stats.tasks_in_flight <= bound,
            "{what}: the queue grows: {} wait, {} tasks, frame {}",
            stats.queued,
            stats.tasks_in_flight,
            self.now
        );
    }

    /// After some quiet nobody waits, and nobody stands who wants to walk.
    pub(crate) fn assert_at_rest(&self, what: &str) {
        let stats = stats(&self.app);
        // Who flees or chases somebody that moves may be at it in any frame.
        assert!(
            stats.queued <= 20 && stats.tasks_in_flight <= 20,
            "{what}: quiet, and still {} wait and {} tasks run",
            stats.queued,
            stats.tasks_in_flight
        );
        for (agent, frames) in &self.frozen {
            assert!(
                *frames < 90,
                "{what}: {agent} is Moving and stands for {frames} frames, {:?} at {}",
                status(&self.app, *agent),
                position(&self.app, *agent)
            );
        }
    }

    /// Only those search in quiet frames whose goal moves, who are stuck, or who were told to.
    pub(crate) fn assert_few_searches(&self, searched: u64, frames: usize, what: &str) {
        let restless = self.agents.iter().filter(|agent| self.is_restless(**agent));
        let restless = restless.count() as u64;
        // Who was told to search five times a second does; others are slower.
        let bound = 20 + restless * (frames as u64 / 12 + 2);
        assert!(
            searched <= bound,
            "{what}: {searched} searches in {frames} quiet frames, {restless} of {} agents are \
             restless",
            self.agents.len()
        );
    }

    fn is_restless(&self, agent: Entity) -> bool {
        let entity = self.app.world().entity(agent);
        let chase = entity.get::<Chase>();
        let moves = chase.is_some_and(|chase| {
            let moved = self.moved.get(&chase.target);
            is_often(chase.repath) || moved.is_some_and(|(_, since)| self.now - since < 200)
        });
        let request = entity.get::<PathRequest>();
        moves
            || entity.contains::<Flee>()
            || request.is_some_and(|request| is_often(request.repath))
            || legs(&self.app, agent) == Locomotion::Stuck
    }
}

fn take_off<C: Component>(world: &mut World) {
    let mut with = world.query_filtered::<Entity, With<C>>();
    for entity in with.iter(world).collect::<Vec<_>>() {
        world.entity_mut(entity).remove::<C>();
    }
}

/// Whether it searches again within a few seconds, whatever happens.
pub(crate) fn is_often(repath: RepathPolicy) -> bool {
    matches!(repath, RepathPolicy::Every(interval) if interval <= Duration::from_secs(1))
}
