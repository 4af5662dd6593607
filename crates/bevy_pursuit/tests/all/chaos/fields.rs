//! Every field that a game may write, as found by reflection, and sensible values for each type of field.

use std::any::TypeId;
use std::mem;
use std::slice;

use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy::reflect::enums::{DynamicEnum, DynamicVariant, VariantInfo};
use bevy::reflect::list::DynamicList;
use bevy::reflect::std_traits::ReflectDefault;
use bevy::reflect::structs::DynamicStruct;
use bevy::reflect::tuple::DynamicTuple;
use bevy::reflect::{NamedField, ReflectMut, TypeInfo, TypeRegistry, UnnamedField};

use super::acts::any;
use super::game::{Chaos, EMPTY_LAYER, MAX_CROWD, SIDE};
use crate::common::*;

/// Components that only the plugin writes. All other components belong to the game.
const PLUGIN_COMPONENTS: [&str; 7] = [
    "BakedGrid",
    "DesiredVelocity",
    "Locomotion",
    "NavPath",
    "PathCursor",
    "PathRecorder",
    "PathStatus",
];

/// A component that a game writes.
pub(crate) struct WritableComponent {
    pub(crate) component: ReflectComponent,
    fields: Vec<Field>,
}

struct Field {
    /// For example `Chase.reach.Some.0`.
    name: String,
    /// The steps that lead from the component to the field.
    steps: Vec<Step>,
    /// The size of the field's value when it was first seen.
    initial_size: Option<f32>,
    changes: usize,
}

#[derive(Clone)]
enum Step {
    Field(usize),
    Variant(&'static VariantInfo),
    Value(ChangeValue),
}

/// Gives a field another value.
type ChangeValue = fn(&mut Chaos, &mut dyn PartialReflect, &mut Option<f32>);

/// Lists the components that a game writes. Panics if a field has a type without known values.
pub(crate) fn writable_components(app: &App) -> Vec<WritableComponent> {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let mut all: Vec<&'static TypeInfo> = registry
        .iter()
        .filter(|one| one.data::<ReflectComponent>().is_some())
        .filter(|one| one.data::<ReflectResource>().is_none())
        .map(|one| one.type_info())
        .filter(|info| info.type_path_table().crate_name() == Some("bevy_pursuit"))
        .filter(|info| !PLUGIN_COMPONENTS.contains(&info.type_path_table().short_path()))
        .collect();
    all.sort_by_key(|info| info.type_path());
    let open = all.into_iter().map(|info| {
        let mut fields = Vec::new();
        list_fields(info, info.type_path_table().short_path(), &[], &mut fields);
        let component = registry.get_type_data::<ReflectComponent>(info.type_id());
        WritableComponent {
            component: component.expect("every one is a component").clone(),
            fields,
        }
    });
    open.collect()
}

type Parts = Vec<(String, Option<&'static TypeInfo>)>;

fn named(parts: slice::Iter<NamedField>) -> Parts {
    let parts = parts.map(|part| (part.name().into(), part.type_info()));
    parts.collect()
}

fn unnamed(parts: slice::Iter<UnnamedField>) -> Parts {
    let parts = parts.map(|part| (part.index().to_string(), part.type_info()));
    parts.collect()
}

fn list_fields(info: &'static TypeInfo, name: &str, steps: &[Step], fields: &mut Vec<Field>) {
    let leaf = |name: &str, step: Step| Field {
        name: name.into(),
        steps: [steps, &[step]].concat(),
        initial_size: None,
        changes: 0,
    };
    if let Some(change_value) = change_value_of(info.type_id()) {
        fields.push(leaf(name, Step::Value(change_value)));
        return;
    }
    let groups = match info {
        TypeInfo::Struct(info) => vec![(None, named(info.iter()))],
        TypeInfo::TupleStruct(info) => vec![(None, unnamed(info.iter()))],
        TypeInfo::Enum(info) => {
            let variants = info.iter().map(|variant| match variant {
                VariantInfo::Struct(info) => (Some(variant), named(info.iter())),
                VariantInfo::Tuple(info) => (Some(variant), unnamed(info.iter())),
                VariantInfo::Unit(_) => (Some(variant), Vec::new()),
            });
            variants.collect()
        }
        _ => panic!(
            "{name} has the type {}, for which chaos knows no values: add them in chaos/fields.rs",
            info.type_path()
        ),
    };
    for (variant, parts) in groups {
        let name = variant.map_or(name.into(), |one| format!("{name}.{}", one.name()));
        let variant = variant.map(Step::Variant);
        if let (Some(variant), true) = (&variant, parts.is_empty()) {
            fields.push(leaf(&name, variant.clone()));
        }
        for (n, (part, info)) in parts.into_iter().enumerate() {
            let name = format!("{name}.{part}");
            let info = info.unwrap_or_else(|| panic!("{name} has a type without information"));
            let step = variant.iter().cloned().chain([Step::Field(n)]);
            let steps: Vec<Step> = steps.iter().cloned().chain(step).collect();
            list_fields(info, &name, &steps, fields);
        }
    }
}

impl Chaos {
    /// Gives a random field of a random component of a random entity another value, in place.
    pub(crate) fn change_field(&mut self) {
        // A component with many fields is chosen more often, in proportion.
        let fields = self.open.iter().enumerate();
        let weighted = fields.flat_map(|(n, open)| vec![n; open.fields.len()]);
        let weighted: Vec<usize> = weighted.collect();
        let n = weighted[self.random.usize(0..weighted.len())];
        let all = self.agents.iter().chain(&self.requests);
        let all = all.chain(&self.walls).chain(&self.grids).copied();
        let component = &self.open[n].component;
        let having = all.filter(|one| component.contains(self.app.world().entity(*one)));
        let having: Vec<Entity> = having.collect();
        let Some(field) = self.choose_field(n) else {
            return;
        };
        // Try another entity if this one already has the new value.
        for _ in 0..MAX_CROWD {
            let entity = any(&mut self.random, &having);
            if entity.is_none_or(|entity| self.change_field_on(n, field, entity)) {
                return;
            }
        }
    }

    /// Changes a random field of each component that the entity has.
    pub(crate) fn change_fields_on(&mut self, entity: Entity) {
        for n in 0..self.open.len() {
            if let Some(field) = self.choose_field(n) {
                self.change_field_on(n, field, entity);
            }
        }
    }

    /// Picks some random fields, and returns the one that was changed least often, so that each field gets its turn.
    fn choose_field(&mut self, n: usize) -> Option<usize> {
        let fields = &self.open[n].fields;
        let any = |_| self.random.usize(0..fields.len());
        let some = (!fields.is_empty()).then(|| [0; 4].map(any))?;
        some.into_iter().min_by_key(|n| fields[*n].changes)
    }

    /// Changes a field of a component. Returns whether the entity has the component and the value is a new one.
    fn change_field_on(&mut self, n: usize, field: usize, entity: Entity) -> bool {
        let component = self.open[n].component.clone();
        let Some(old) = component.reflect(self.app.world().entity(entity)) else {
            return false;
        };
        let mut value = old.reflect_clone().expect("the component can be cloned");
        let mut fields = mem::take(&mut self.open[n].fields);
        let field = &mut fields[field];
        let registry = self.app.world().resource::<AppTypeRegistry>().clone();
        self.change_at(
            &mut *value,
            &field.steps,
            &mut field.initial_size,
            &registry.read(),
        );
        let mut entity = self.app.world_mut().entity_mut(entity);
        let now = component.reflect_mut(&mut entity);
        let mut now = now.expect("the entity has the component");
        let is_new = now.reflect_partial_eq(value.as_partial_reflect()) != Some(true);
        if is_new {
            field.changes += 1;
            now.set(value).expect("both are of the same type");
        }
        self.open[n].fields = fields;
        is_new
    }

    fn change_at(
        &mut self,
        value: &mut dyn PartialReflect,
        steps: &[Step],
        initial_size: &mut Option<f32>,
        registry: &TypeRegistry,
    ) {
        let Some((step, steps)) = steps.split_first() else {
            return;
        };
        match step {
            Step::Value(change_value) => change_value(self, value, initial_size),
            Step::Variant(variant) => {
                if let ReflectMut::Enum(value) = value.reflect_mut()
                    && value.variant_name() != variant.name()
                {
                    value.apply(&default_of(variant, registry));
                }
                self.change_at(value, steps, initial_size, registry);
            }
            Step::Field(n) => {
                let field = match value.reflect_mut() {
                    ReflectMut::Struct(value) => value.field_at_mut(*n),
                    ReflectMut::TupleStruct(value) => value.field_mut(*n),
                    ReflectMut::Enum(value) => value.field_at_mut(*n),
                    _ => None,
                };
                let field = field.expect("the field was listed");
                self.change_at(field, steps, initial_size, registry);
            }
        }
    }

    pub(crate) fn assert_each_field_was_changed(&self, context: &str) {
        let fields = self.open.iter().flat_map(|open| &open.fields);
        let (never, ever): (Vec<_>, Vec<_>) = fields
            .map(|field| (field.changes, &field.name))
            .partition(|(changes, _)| *changes == 0);
        assert!(
            never.is_empty(),
            "{context}: fields that never changed: {never:?}, changed: {ever:?}"
        );
    }
}

/// A variant whose fields have the default values of their types.
fn default_of(variant: &VariantInfo, registry: &TypeRegistry) -> DynamicEnum {
    let default = |info: Option<&TypeInfo>| match info {
        // Not every list type is registered with its default.
        Some(TypeInfo::List(_)) => Box::new(DynamicList::default()),
        info => {
            let id = info.map(TypeInfo::type_id);
            let default = id.and_then(|id| registry.get_type_data::<ReflectDefault>(id));
            let default = default.map(|default| default.default().into_partial_reflect());
            default.unwrap_or_else(|| panic!("a part of {} has no default", variant.name()))
        }
    };
    let fields = match variant {
        VariantInfo::Struct(info) => {
            let mut fields = DynamicStruct::default();
            for part in info.iter() {
                fields.insert_boxed(part.name(), default(part.type_info()));
            }
            DynamicVariant::Struct(fields)
        }
        VariantInfo::Tuple(info) => {
            let mut fields = DynamicTuple::default();
            for part in info.iter() {
                fields.insert_boxed(default(part.type_info()));
            }
            DynamicVariant::Tuple(fields)
        }
        VariantInfo::Unit(_) => DynamicVariant::Unit,
    };
    DynamicEnum::new(variant.name(), fields)
}

/// A type of field that has sensible values.
trait Kind: Reflect + Clone {
    /// Returns another value. `initial_size` is the size of the field when it was first seen.
    fn other_value(&self, chaos: &mut Chaos, initial_size: &mut Option<f32>) -> Self;
}

fn change_value_of(id: TypeId) -> Option<ChangeValue> {
    fn kind<K: Kind>() -> (TypeId, ChangeValue) {
        let change_value: ChangeValue = |chaos, value, initial_size| {
            let value = value.try_downcast_mut::<K>();
            let value = value.expect("the field has this type");
            *value = value.other_value(chaos, initial_size);
        };
        (TypeId::of::<K>(), change_value)
    }
    let kinds = [
        kind::<bool>(),
        kind::<u8>(),
        kind::<i8>(),
        kind::<i16>(),
        kind::<u32>(),
        kind::<f32>(),
        kind::<Vec2>(),
        kind::<Vec3>(),
        kind::<NavFrame>(),
        kind::<Vec<Vec2>>(),
        kind::<Rect>(),
        kind::<Duration>(),
        kind::<Entity>(),
    ];
    let mut kinds = kinds.into_iter();
    kinds
        .find(|(one, _)| *one == id)
        .map(|(_, change_value)| change_value)
}

impl Kind for bool {
    fn other_value(&self, _: &mut Chaos, _: &mut Option<f32>) -> Self {
        !self
    }
}

/// The priority that decides which agent gives way.
impl Kind for i8 {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        chaos.random.i8(-2..3)
    }
}

/// A priority.
impl Kind for i16 {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        chaos.random.i16(-2..3)
    }
}

/// A class or an area number.
impl Kind for u8 {
    fn other_value(&self, _: &mut Chaos, _: &mut Option<f32>) -> Self {
        (self + 1) % 3
    }
}

/// Layers.
impl Kind for u32 {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        [WALLS.bits(), WALLS.bits(), EMPTY_LAYER.0, Self::MAX][chaos.random.usize(0..4)]
    }
}

/// Lengths, speeds and rates: near the initial size, and sometimes an invalid number.
impl Kind for f32 {
    fn other_value(&self, chaos: &mut Chaos, initial_size: &mut Option<f32>) -> Self {
        const BAD: [f32; 3] = [0.0, -1.0, f32::NAN];
        if *self > 0.0 {
            initial_size.get_or_insert(*self);
        }
        let part = chaos.random.f32();
        match (chaos.random.usize(0..24), *initial_size) {
            (n @ 0..3, _) => BAD[n],
            (_, Some(initial_size)) => initial_size * (0.4 + 1.8 * part),
            (_, None) => RADIUS * (0.5 + 7.5 * part),
        }
    }
}

/// Positions. If the initial value was a size or a direction, other sizes or directions.
impl Kind for Vec2 {
    fn other_value(&self, chaos: &mut Chaos, initial_size: &mut Option<f32>) -> Self {
        if *initial_size.get_or_insert(self.length()) > 4.0 {
            return chaos.any_place();
        }
        Self::new(
            0.2 + 2.0 * chaos.random.f32(),
            0.2 + 2.0 * chaos.random.f32(),
        )
    }
}

/// Positions.
impl Kind for Vec3 {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        chaos.any_place().extend(chaos.random.f32())
    }
}

/// Frames near the usual one, turned a little, and sometimes an invalid one.
impl Kind for NavFrame {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        let origin = Vec2::ZERO.other_value(chaos, &mut Some(0.0));
        let placed = Self::XY.at((origin - 1.0).extend(0.0));
        match chaos.random.usize(0..8) {
            0 => placed.at(Vec3::NAN),
            1..4 => placed.turned(0.2 * chaos.random.f32()),
            4..6 => placed,
            _ => Self::XY,
        }
    }
}

/// Corners of an outline.
impl Kind for Vec<Vec2> {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        let corners = chaos.random.usize(1..7);
        let corner = |_| Vec2::ZERO.other_value(chaos, &mut Some(0.0));
        (0..corners).map(corner).collect()
    }
}

/// Bounds of a grid.
impl Kind for Rect {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        Self::new(0.0, 0.0, SIDE, SIDE).inflate(8.0 * chaos.random.f32() - 2.0)
    }
}

impl Kind for Duration {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        Self::from_millis([200, 1000, 30_000][chaos.random.usize(0..3)])
    }
}

/// A grid if the field held a grid, otherwise an entity to chase or to flee from.
impl Kind for Entity {
    fn other_value(&self, chaos: &mut Chaos, _: &mut Option<f32>) -> Self {
        let grid = chaos.grids[chaos.random.usize(0..2)];
        if chaos.app.world().get::<NavGrid>(*self).is_some() {
            return grid;
        }
        chaos.any_target().unwrap_or(grid)
    }
}
