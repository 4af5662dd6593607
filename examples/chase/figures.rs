//! Dresses players and hunters in their pictures and keeps those alive: steps, eyes, moods.

use bevy::prelude::*;

use crate::art::people::PeopleArt;
use crate::art::{Paint, layer};
use crate::hunters::{Hunter, Tired};
use crate::player::Player;

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

/// What the eyes and feet of a figure remember.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Figure {
    facing: Vec2,
    last: Vec2,
    walked: f32,
    /// How much it moves now, from 0 at rest to 1.
    gait: f32,
}

/// A moving part of a figure.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    /// Hops with each step.
    Body,
    /// Turns toward where the figure goes.
    Eyes,
    /// Turn farther.
    Pupils,
    /// The cap's peak and the brows: turn a little.
    Crown,
}

/// Gives every newcomer its picture.
pub(crate) fn dress_newcomers(
    mut commands: Commands,
    art: Res<PeopleArt>,
    paint: Res<Paint>,
    newcomers: Query<
        (Entity, &Transform, Has<Player>),
        (Or<(With<Player>, With<Hunter>)>, Without<Figure>),
    >,
) {
    for (number, (entity, transform, is_player)) in newcomers.iter().enumerate() {
        let last = transform.translation.truncate();
        let (body, crown) = if is_player {
            (&art.player, &art.cap)
        } else {
            (&art.hunter, &art.brows)
        };
        let picture = |mesh: &Handle<Mesh>, z| paint.picture(mesh.clone(), z);
        // Each at a height of its own, the player on top: parts of two figures never mix.
        let height = if is_player {
            layer::PLAYER
        } else {
            layer::HUNTERS + 0.02 * number as f32
        };
        commands
            .entity(entity)
            .insert(Figure {
                facing: Vec2::NEG_Y,
                last,
                walked: last.x,
                gait: 0.0,
            })
            .with_children(|figure| {
                figure.spawn(picture(&art.shadow, layer::PEOPLE_SHADOW));
                figure
                    .spawn((Part::Body, picture(body, height)))
                    .with_children(|body| {
                        body.spawn((Part::Eyes, picture(&art.eyes, 0.005)))
                            .with_child((Part::Pupils, picture(&art.pupils, 0.005)));
                        body.spawn((Part::Crown, picture(crown, 0.015)));
                    });
            });
    }
}

/// Lets figures hop, and turns their eyes to where they go.
pub(crate) fn animate_figures(
    time: Res<Time>,
    mut figures: Query<(&Transform, &mut Figure, &Children), Without<Part>>,
    mut parts: Query<(&Part, &mut Transform, Option<&Children>)>,
) {
    let seconds = time.delta_secs();
    if seconds == 0.0 {
        return;
    }
    for (transform, mut figure, children) in &mut figures {
        let position = transform.translation.truncate();
        figure.step(position, seconds);
        let mut open: Vec<Entity> = children.iter().collect();
        while let Some(part) = open.pop() {
            if let Ok((part, mut transform, children)) = parts.get_mut(part) {
                transform.translation = figure.place(*part).extend(transform.translation.z);
                open.extend(children.into_iter().flatten());
            }
        }
    }
}

/// Changes a hunter's color while it is tired.
pub(crate) fn show_moods(
    art: Res<PeopleArt>,
    hunters: Query<(&Children, Has<Tired>), With<Hunter>>,
    mut bodies: Query<(&Part, &mut Mesh2d)>,
) {
    for (children, tired) in &hunters {
        let wanted = if tired { &art.tired } else { &art.hunter };
        for child in children {
            if let Ok((Part::Body, mut mesh)) = bodies.get_mut(*child) {
                mesh.set_if_neq(Mesh2d(wanted.clone()));
            }
        }
    }
}

impl Figure {
    fn step(&mut self, position: Vec2, seconds: f32) {
        let moved = position - self.last;
        self.last = position;
        let speed = moved.length() / seconds;
        let share = 1.0 - (-seconds / GLANCE).exp();
        if speed > 8.0 {
            self.walked += moved.length();
            self.facing = self.facing.lerp(moved.normalize_or_zero(), share);
        }
        self.gait += ((speed / 60.0).min(1.0) - self.gait) * share;
    }

    fn place(&self, part: Part) -> Vec2 {
        let squash = Vec2::new(1.0, 0.75);
        match part {
            Part::Body => Vec2::Y * HOP * self.gait * (self.walked * STRIDE).sin().abs(),
            Part::Eyes => Vec2::Y * EYES_HEIGHT + self.facing * squash * EYES_REACH,
            Part::Pupils => self.facing * PUPILS_REACH,
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
            figure.step(Vec2::new(2.0 * step as f32, 0.0), 1.0 / 60.0);
        }
        assert!(figure.facing.dot(Vec2::X) > 0.99);
        let rest = figure.last;
        for _ in 0..60 {
            figure.step(rest, 1.0 / 60.0);
        }
        assert!(figure.facing.dot(Vec2::X) > 0.99);
        assert!(figure.gait < 0.01, "a figure at rest does not hop");
    }
}
