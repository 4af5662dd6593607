//! Levels of buckets. A level has buckets of one size, for members of similar radii.

use glam::Vec2;

use super::Member;
use super::queue::look_ahead;
use super::settle::settle_range;

/// Maximum number of levels per plane, counted separately for fixed members and for the others. If there are more
/// size classes, the classes with the fewest members are merged. Each member searches all levels, so a greater
/// maximum takes longer. With a smaller one, small members search an area as wide as the largest members need.
const MAX_LEVELS: usize = 8;

/// Minimum number of buckets in a level. With a smaller number, members of a small crowd more often share a
/// bucket with distant members.
const MIN_BUCKETS: u32 = 64;

/// Spacing between the rows of a bucket table, as a share of the size of the table, in units of 2⁻³². The rows of
/// a neighborhood do not overlap with this share. The spacing in buckets is then made odd, so that no two rows of
/// a table coincide.
const ROW_SPACING: u64 = 0x9E37_79B9;

/// The buckets for members of similar radii on one plane. Their radii differ by less than a factor of two unless
/// [`MAX_LEVELS`] is reached. Fixed members have levels of their own. So they can be kept when a member has more
/// neighbors than its list can hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) is_fixed: bool,
    pub(super) plane: u16,
    /// The largest radius of a member.
    pub(super) radius: f32,
    /// The longest [`reach`] of a member, measured from its edge.
    pub(super) reach: f32,
    /// The lowest and the highest corner of the smallest rectangle that holds all members.
    corners: [Vec2; 2],
    inverse: f32,
    pub(super) offset: u32,
    pub(super) mask: u32,
    row_spacing: u32,
}

/// The nearest whole number. Numbers beyond ±4,000,000 are clamped.
fn whole(x: f32) -> i32 {
    /// The largest absolute value of a result.
    const MAX_WHOLE: f32 = 4e6;
    /// 1.5 · 2²³. A `f32` of this size has no fractional bits, so the sum of this number and a smaller one is a whole
    /// number.
    const ROUNDING_SUMMAND: f32 = 1.5 * 8_388_608.0;
    let sum = x.clamp(-MAX_WHOLE, MAX_WHOLE) + ROUNDING_SUMMAND;
    (sum.to_bits() as i32).wrapping_sub(ROUNDING_SUMMAND.to_bits() as i32)
}

impl Level {
    fn new(class: &SizeClass, offset: u32, dt: f32) -> Self {
        let Key {
            is_fixed, plane, ..
        } = class.key;
        let size = (2 * class.count).next_power_of_two().max(MIN_BUCKETS);
        let reach = reach_of(class.pace, class.settles, class.radius, dt);
        Self {
            is_fixed,
            plane,
            radius: class.radius,
            reach,
            corners: class.corners,
            inverse: 1.0 / (2.0 * class.radius + reach).max(f32::MIN_POSITIVE),
            offset,
            mask: size - 1,
            row_spacing: (((u64::from(size) * ROW_SPACING) >> 32) | 1) as u32,
        }
    }

    fn column(&self, x: f32) -> i32 {
        whole(x * self.inverse)
    }

    pub(super) fn row(&self, y: f32) -> i32 {
        whole(y * self.inverse)
    }

    /// Number of the bucket after the last one of this level, counted over all levels.
    pub(super) fn end(&self) -> u32 {
        self.offset + self.mask + 1
    }

    /// Number of the bucket that contains a position, counted over all levels.
    pub(super) fn key(&self, place: Vec2) -> u32 {
        self.offset + self.bucket(self.column(place.x), self.row(place.y))
    }

    pub(super) fn bucket(&self, column: i32, row: i32) -> u32 {
        let first = (row as u32).wrapping_mul(self.row_spacing);
        first.wrapping_add(column as u32) & self.mask
    }

    /// Whether a member of this level may be within `far` of `place` on each axis.
    #[inline]
    pub(super) fn is_near(&self, place: Vec2, far: f32) -> bool {
        let [low, high] = self.corners;
        (place + far).cmpge(low).all() && (place - far).cmple(high).all()
    }

    /// The first and the last bucket within `far` of `place`, each as a column and a row.
    #[inline]
    pub(super) fn buckets(&self, place: Vec2, far: f32) -> [(i32, i32); 2] {
        [place - far, place + far].map(|at| (self.column(at.x), self.row(at.y)))
    }

    fn holds(&self, member: &Member) -> bool {
        (self.is_fixed, self.plane) == (member.is_fixed(), member.plane)
            && member.radius <= self.radius
            && member.radius > 0.0
    }
}

/// The gap up to which other members are neighbors of a member: the distance that the member can walk in the
/// [look-ahead time](look_ahead), or the gap within which it keeps in touch with settled members, whichever is
/// greater. It is at most the radius of the member.
pub(super) fn reach(member: &Member, dt: f32) -> f32 {
    reach_of(member.pace, settles_within(member), member.radius, dt)
}

fn reach_of(pace: f32, settles: f32, radius: f32, dt: f32) -> f32 {
    (pace * look_ahead(dt)).max(settles).min(radius)
}

fn settles_within(member: &Member) -> f32 {
    match member.settles || member.memory.gives_way {
        true => settle_range(member),
        false => 0.0,
    }
}

/// The properties that all members of a size class share. Keys are sorted in the order of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    is_fixed: bool,
    plane: u16,
    /// The binary exponent of the radius, as an `f32` stores it.
    exponent: u32,
}

/// A summary of the members of one plane whose radii lie between two successive powers of two.
#[derive(Clone, Copy, Debug)]
struct SizeClass {
    key: Key,
    count: u32,
    corners: [Vec2; 2],
    least: f32,
    /// The largest radius. The next two fields are maxima as well.
    radius: f32,
    pace: f32,
    settles: f32,
}

impl SizeClass {
    fn of(key: Key, member: &Member) -> Self {
        Self {
            key,
            count: 1,
            corners: [member.place; 2],
            least: member.radius,
            radius: member.radius,
            pace: member.pace,
            settles: settles_within(member),
        }
    }

    /// Whether both classes may share a level.
    fn is_beside(&self, other: &Self) -> bool {
        (self.key.is_fixed, self.key.plane) == (other.key.is_fixed, other.key.plane)
    }

    #[inline]
    fn join(&mut self, other: &Self) {
        self.count += other.count;
        let ([low, high], [other_low, other_high]) = (self.corners, other.corners);
        self.corners = [low.min(other_low), high.max(other_high)];
        self.least = self.least.min(other.least);
        self.radius = self.radius.max(other.radius);
        self.pace = self.pace.max(other.pace);
        self.settles = self.settles.max(other.settles);
    }
}

/// Statistics of some or all members, which are needed before the members are sorted.
#[derive(Debug, Default)]
pub(super) struct Survey {
    classes: Vec<SizeClass>,
    /// Index of the class of the member that was counted last.
    last_class: usize,
    /// The greatest speed that any member wants, in radii of this member per second.
    pub(super) fastest: f32,
}

impl Survey {
    pub(super) fn clear(&mut self) {
        self.classes.clear();
        self.fastest = 0.0;
    }

    /// Makes a member [sound](Member::make_sound), and counts it.
    #[inline]
    pub(super) fn take(&mut self, member: &mut Member) {
        member.make_sound();
        if member.radius == 0.0 {
            return;
        }
        let key = Key {
            is_fixed: member.is_fixed(),
            plane: member.plane,
            exponent: member.radius.to_bits() >> 23,
        };
        self.count(&SizeClass::of(key, member));
        if !member.is_fixed() && !member.memory.is_settled {
            self.fastest = self.fastest.max(member.pace / member.radius);
        }
    }

    #[inline]
    fn count(&mut self, class: &SizeClass) {
        let is_it = |known: &SizeClass| known.key == class.key;
        if !self.classes.get(self.last_class).is_some_and(is_it) {
            self.last_class = self.classes.iter().position(is_it).unwrap_or_else(|| {
                self.classes.push(SizeClass { count: 0, ..*class });
                self.classes.len() - 1
            });
        }
        self.classes[self.last_class].join(class);
    }

    /// Adds the counts of another survey.
    pub(super) fn join(&mut self, other: &Self) {
        self.fastest = self.fastest.max(other.fastest);
        other.classes.iter().for_each(|class| self.count(class));
    }

    /// Writes the levels of all members to `levels`. Levels with greater radii come later, and the levels of
    /// fixed members come after all others.
    pub(super) fn write_levels(&mut self, dt: f32, levels: &mut Vec<Level>) {
        self.classes.sort_unstable_by_key(|class| class.key);
        levels.clear();
        (self.classes).dedup_by(|next, last| {
            let is_close = last.is_beside(next) && next.radius < 2.0 * last.least;
            if is_close {
                last.join(next);
            }
            is_close
        });
        while let Some(at) = self.one_too_many() {
            let next = self.classes.remove(at + 1);
            self.classes[at].join(&next);
        }
        for class in &self.classes {
            let offset = levels.last().map_or(0, Level::end);
            levels.push(Level::new(class, offset, dt));
        }
    }

    /// Finds two adjacent classes to merge in a plane with too many classes: those that together have the fewest
    /// members. It returns the index of the first one.
    fn one_too_many(&self) -> Option<usize> {
        let mut start = 0;
        for classes in self.classes.chunk_by(SizeClass::is_beside) {
            if classes.len() > MAX_LEVELS {
                let fewest = |at: &usize| classes[*at].count + classes[*at + 1].count;
                let at = (0..classes.len() - 1).min_by_key(fewest);
                return at.map(|at| start + at);
            }
            start += classes.len();
        }
        None
    }
}

/// The level of a member that a survey has counted. `None` if its radius is 0.
#[inline]
pub(super) fn level_of<'a>(levels: &'a [Level], member: &Member) -> Option<&'a Level> {
    levels.iter().find(|level| level.holds(member))
}
