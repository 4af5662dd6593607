//! Saving and loading the agents of a game.

use std::any::TypeId;

use bevy::reflect::ReflectSerialize;
use bevy::reflect::serde::{ReflectDeserializer, ReflectSerializer};
use serde::de::DeserializeSeed;

use crate::common::*;

/// All reflected components of an entity as text. Bevy can only write entities as text with an optional feature.
fn save(app: &App, entity: Entity) -> Vec<String> {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let saves_entities = registry.get_type_data::<ReflectSerialize>(TypeId::of::<Entity>());
    let components = registry.iter().filter_map(|registration| {
        let holds_entity = [TypeId::of::<Chase>(), TypeId::of::<OnGrid>()];
        if saves_entities.is_none() && holds_entity.contains(&registration.type_id()) {
            return None;
        }
        let component = registration.data::<ReflectComponent>()?;
        component.reflect(app.world().entity(entity))
    });
    let text = components.map(|component| {
        let value = ReflectSerializer::new(component.as_partial_reflect(), &registry);
        let path = component.reflect_type_path();
        serde_json::to_string(&value).unwrap_or_else(|error| panic!("{path}: {error}"))
    });
    text.collect()
}

fn load(app: &mut App, entity: Entity, saved: &[String]) {
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for text in saved {
        let mut text = serde_json::Deserializer::from_str(text);
        let value = ReflectDeserializer::new(&registry).deserialize(&mut text);
        let value = value.expect("a saved value can be loaded");
        let info = value.get_represented_type_info();
        let id = info.expect("the value has a type").type_id();
        let component = registry.get_type_data::<ReflectComponent>(id);
        let component = component.expect("only components are saved");
        let mut entity = app.world_mut().entity_mut(entity);
        component.insert(&mut entity, &*value, &registry);
    }
}

#[test]
fn saved_agents_load_and_continue_without_a_second_arrival() {
    for mode in MODES {
        let mut app = level(mode, ROOM);
        disable_avoidance(&mut app);
        app.register_type::<Transform>();
        let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(9, 3));
        run_slowly(&mut app, 20);
        assert!(get::<PathCursor>(&app, chaser).next() > 0);
        let saved = save(&app, chaser);
        assert!(saved.len() >= 7, "{saved:?}");
        let loaded = spawn(&mut app, ());
        load(&mut app, loaded, &saved);
        assert_eq!(position(&app, loaded), position(&app, chaser));
        assert!(
            get::<NavPath>(&app, loaded).is_empty(),
            "a loaded path was kept"
        );
        if !app.world().entity(loaded).contains::<Chase>() {
            give(&mut app, loaded, Chase::new(target));
        }
        for agent in [chaser, loaded] {
            arrive(&mut app, agent, 900, (mode, agent));
        }
        // An agent that had arrived is marked as arrived after loading, even if the grid is baked later. It arrives
        // again after its target leaves.
        let saved = save(&app, chaser);
        let grid = grid_entity(&mut app);
        set_disabled(&mut app, grid, true);
        let loaded = spawn(&mut app, ());
        load(&mut app, loaded, &saved);
        if !app.world().entity(loaded).contains::<Chase>() {
            give(&mut app, loaded, Chase::new(target));
        }
        run_slowly(&mut app, 20);
        set_disabled(&mut app, grid, false);
        run_slowly(&mut app, 60);
        assert!(has_arrived(&app, loaded), "{mode:?}");
        assert_eq!(
            reached_by(&app, loaded),
            [],
            "{mode:?}: an arrival from before saving was reported again"
        );
        set_position(&mut app, target, cell(0, 3));
        run_slowly(&mut app, 20);
        arrive(&mut app, loaded, 900, (mode, loaded));
        assert_eq!(reached_by(&app, loaded).len(), 1, "{mode:?}");
        // A baked grid is saved without its snapshot.
        let grid = grid_entity(&mut app);
        let saved = save(&app, grid);
        load(&mut app, grid, &saved);
        assert!(get::<BakedGrid>(&app, grid).snapshot().is_none());
        run_slowly(&mut app, 60);
        assert!(get::<BakedGrid>(&app, grid).snapshot().is_some());
    }
}
