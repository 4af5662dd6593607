//! Gives everybody with a [`Costume`] its picture and keeps that alive: smooth motion, steps, eyes.

use bevy::prelude::*;

use crate::art::people::{Costume, PeopleArt};
use crate::art::{Paint, layer};
use crate::smooth::{Smooth, SmoothPlugin};

/// Adds the systems that dress and animate figures.
pub struct FiguresPlugin;

impl Plugin for FiguresPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(SmoothPlugin)
            .init_resource::<Paint>()
            .init_resource::<PeopleArt>()
            .add_systems(PreUpdate, dress_newcomers)
            .add_systems(Update, (show_looks, animate_figures));
    }
}

/// How far the eyes wander over the face, in world units.
const EYES_REACH: f32 = 3.4;
/// How far the pupils wander within the eyes.
const PUPILS_REACH: f32 = 1.2;
/// Height of the eyes above the middle of the face.
const EYES_HEIGHT: f32 = 1.0;
/// Steps per world unit walked.
const STRIDE: f32 = 0.11;
/// Height of a step's hop.
const HOP: f32 = 2.2;
/// Seconds in which a glance turns about two thirds of its way.
const GLANCE: f32 = 0.09;

/// What the eyes and feet of a figure remember. On the picture, a child of the body.
#[derive(Component, Clone, Copy, Debug)]
pub struct Figure {
    facing: Vec2,
    last: Vec2,
    walked: f32,
    /// How much it moves now, from 0 at rest to 1.
    gait: f32,
}

/// On a body: what its figure looks at, in world units. Without it figures look where they go.
#[derive(Component, Clone, Copy, Debug)]
pub struct LooksAt(pub Vec2);

/// A moving part of a figure.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
enum Part {
    /// Hops with each step.
    Body,
    /// Turns toward where the figure goes.
    Eyes,
    /// Turn farther.
    Pupils,
    /// The cap's peak and the brows: turn a little.
    Crown,
    /// Is held out to where the figure looks.
    Bow,
}

fn dress_newcomers(
    mut commands: Commands,
    art: Res<PeopleArt>,
    paint: Res<Paint>,
    newcomers: Query<(Entity, &Transform, &Costume), Added<Costume>>,
    mut count: Local<u32>,
) {
    for (entity, transform, costume) in &newcomers {
        let at = transform.translation;
        let outfit = art.outfit(*costume);
        let picture = |mesh: &Handle<Mesh>, z| paint.picture(mesh.clone(), z);
        // Each at a height of its own, the player on top: parts of two figures never mix.
        *count += 1;
        let height = if *costume == Costume::Player {
            layer::PLAYER
        } else {
            layer::HUNTERS + 0.02 * (*count % 3000) as f32
        };
        let figure = Figure {
            facing: Vec2::NEG_Y,
            last: at.truncate(),
            walked: at.x,
            gait: 0.0,
        };
        let figure = (figure, Smooth::at(at), ChildOf(entity));
        if *costume == Costume::Beetle {
            // All of it turns with the body.
            commands
                .spawn(figure)
                .with_child(picture(&outfit.body, height));
            continue;
        }
        commands.spawn(figure).with_children(|figure| {
            figure.spawn(picture(&art.shadow, layer::PEOPLE_SHADOW));
            let mut body = figure.spawn((Part::Body, picture(&outfit.body, height)));
            body.with_children(|body| {
                body.spawn((Part::Eyes, picture(&art.eyes, 0.005)))
                    .with_child((Part::Pupils, picture(&art.pupils, 0.005)));
                body.spawn((Part::Crown, picture(&outfit.crown, 0.015)));
                if let Some(bow) = &outfit.bow {
                    body.spawn((Part::Bow, picture(bow, 0.018)));
                }
            });
        });
    }
}

/// Lets figures hop, and turns their eyes to where they go.
fn animate_figures(
    time: Res<Time>,
    fixed: Res<Time<Fixed>>,
    bodies: Query<&LooksAt>,
    mut figures: Query<(&ChildOf, &Smooth, &mut Figure, &Children)>,
    mut parts: Query<(&Part, &mut Transform, Option<&Children>)>,
) {
    let seconds = time.delta_secs();
    if seconds == 0.0 {
        return;
    }
    for (body, smooth, mut figure, children) in &mut figures {
        let place = smooth.place(fixed.overstep_fraction()).truncate();
        let looks_at = bodies.get(body.parent()).ok().map(|looks| looks.0);
        figure.step(place, looks_at, seconds);
        let mut open: Vec<Entity> = children.iter().collect();
        while let Some(part) = open.pop() {
            if let Ok((part, mut transform, children)) = parts.get_mut(part) {
                transform.translation = figure.place(*part).extend(transform.translation.z);
                if *part == Part::Bow {
                    transform.rotation = Quat::from_rotation_z(figure.facing.to_angle());
                }
                open.extend(children.into_iter().flatten());
            }
        }
    }
}

/// Changes the color of a body whose look changed.
fn show_looks(
    art: Res<PeopleArt>,
    people: Query<(&Costume, &Children), Changed<Costume>>,
    figures: Query<&Children, With<Figure>>,
    mut bodies: Query<(&Part, &mut Mesh2d)>,
) {
    for (costume, children) in &people {
        let figures = children.iter().filter_map(|child| figures.get(child).ok());
        for part in figures.flatten() {
            if let Ok((Part::Body, mut mesh)) = bodies.get_mut(*part) {
                mesh.set_if_neq(Mesh2d(art.outfit(*costume).body.clone()));
            }
        }
    }
}

impl Figure {
    fn step(&mut self, position: Vec2, looks_at: Option<Vec2>, seconds: f32) {
        let moved = position - self.last;
        self.last = position;
        let speed = moved.length() / seconds;
        let share = 1.0 - (-seconds / GLANCE).exp();
        if speed > 8.0 {
            self.walked += moved.length();
        }
        let ahead = if speed > 8.0 { moved } else { Vec2::ZERO };
        let wanted = looks_at.map_or(ahead, |point| point - position);
        if wanted != Vec2::ZERO {
            self.facing = self.facing.lerp(wanted.normalize_or_zero(), share);
        }
        self.gait += ((speed / 60.0).min(1.0) - self.gait) * share;
    }

    fn place(&self, part: Part) -> Vec2 {
        let squash = Vec2::new(1.0, 0.75);
        match part {
            Part::Body => Vec2::Y * HOP * self.gait * (self.walked * STRIDE).sin().abs(),
            Part::Eyes => Vec2::Y * EYES_HEIGHT + self.facing * squash * EYES_REACH,
            Part::Pupils => self.facing * PUPILS_REACH,
            Part::Bow => self.facing * 12.0 - Vec2::Y,
            Part::Crown => self.facing * Vec2::new(1.6, 0.8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eyes_turn_to_where_the_figure_goes_and_stay_when_it_rests() {
        let start = Vec2::ZERO;
        let mut figure = Figure {
            facing: Vec2::NEG_Y,
            last: start,
            walked: 0.0,
            gait: 0.0,
        };
        for step in 1..=60 {
            figure.step(Vec2::new(2.0 * step as f32, 0.0), None, 1.0 / 60.0);
        }
        assert!(figure.facing.dot(Vec2::X) > 0.99);
        let rest = figure.last;
        for _ in 0..60 {
            figure.step(rest, None, 1.0 / 60.0);
        }
        assert!(figure.facing.dot(Vec2::X) > 0.99);
        assert!(figure.gait < 0.01, "a figure at rest does not hop");
    }
}
