//! The levels of buckets that a crowd needs. A level has buckets of one size, for members of similar radii.

use glam::Vec2;

use super::Member;
use super::queue::look_ahead;
use super::settle::settle_range;

/// Maximum number of levels per plane, separately for fixed members and for the others. If there are more
/// sizes, the sizes with the fewest members share a level. Every member has to check every level. With fewer
/// levels, small members check as far as the largest ones are wide.
const MAX_LEVELS: usize = 8;

/// Minimum number of buckets in a level. With fewer, members of a small crowd more often share a bucket with
/// distant members.
const MIN_BUCKETS: u32 = 64;

/// Distance between two rows in a table of buckets, as a share of the table in units of 2⁻³², so that the
/// rows of a neighborhood do not overlap. The number of buckets is then made odd, so that no two rows of a
/// table coincide.
const ROW_SPACING: u64 = 0x9E37_79B9;

/// Members of one plane whose radii differ by less than a factor of two, in buckets of one size. Fixed
/// members have levels of their own, so that they are found among any number of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) is_fixed: bool,
    pub(super) plane: u16,
    /// The largest radius of its members.
    pub(super) radius: f32,
    /// The largest reach of its members beyond their radii.
    pub(super) reach: f32,
    /// The corners of the rectangle that holds all members.
    corners: [Vec2; 2],
    inverse: f32,
    pub(super) offset: u32,
    pub(super) mask: u32,
    row_spacing: u32,
}

/// The nearest whole number. Huge numbers are clamped, so that they count as equal.
fn whole(x: f32) -> i32 {
    /// The largest result.
    const MAX_WHOLE: f32 = 4e6;
    /// 1.5 · 2²³. A sum with it has no room for digits after the point.
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

    /// The bucket after the last one of this level.
    pub(super) fn end(&self) -> u32 {
        self.offset + self.mask + 1
    }

    /// The bucket of a place, counted over all levels.
    pub(super) fn key(&self, place: Vec2) -> u32 {
        self.offset + self.bucket(self.column(place.x), self.row(place.y))
    }

    pub(super) fn bucket(&self, column: i32, row: i32) -> u32 {
        let first = (row as u32).wrapping_mul(self.row_spacing);
        first.wrapping_add(column as u32) & self.mask
    }

    /// Whether a member of this level may be within `far` of a place on each axis.
    #[inline]
    pub(super) fn is_near(&self, place: Vec2, far: f32) -> bool {
        let [low, high] = self.corners;
        (place + far).cmpge(low).all() && (place - far).cmple(high).all()
    }

    /// The buckets within `far` of a place: the column and row of the first one, and of the last one.
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

/// How far beyond touching a member looks for others: as far as two members can close in, or as far as a
/// settled member keeps touch.
pub(super) fn reach(member: &Member, dt: f32) -> f32 {
    reach_of(member.pace, settles_within(member), member.radius, dt)
}

fn reach_of(pace: f32, settles: f32, radius: f32, dt: f32) -> f32 {
    (pace * look_ahead(dt)).max(settles).min(radius)
}

fn settles_within(member: &Member) -> f32 {
    if member.settles || member.memory.gives_way {
        settle_range(member)
    } else {
        0.0
    }
}

/// What the members of a size class have in common. Keys have the order of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    is_fixed: bool,
    plane: u16,
    /// The power of two in their radius.
    exponent: u32,
}

/// Members of one plane whose radii lie between two powers of two.
#[derive(Clone, Copy, Debug)]
struct SizeClass {
    key: Key,
    count: u32,
    corners: [Vec2; 2],
    least: f32,
    /// The largest radius. The numbers that follow are maxima as well.
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

    /// Whether both may share a level.
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

/// What has to be known about some or all members before they are sorted.
#[derive(Debug, Default)]
pub(super) struct Survey {
    classes: Vec<SizeClass>,
    /// The class of the member that was counted last.
    last_class: usize,
    /// The greatest speed that a member wants, in its radii per second.
    pub(super) fastest: f32,
}

impl Survey {
    pub(super) fn clear(&mut self) {
        self.classes.clear();
        self.fastest = 0.0;
    }

    /// Makes a member [sound](Member::sound), and counts it.
    #[inline]
    pub(super) fn take(&mut self, member: &mut Member) {
        *member = member.sound();
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

    /// Writes the levels of all members. Greater radii come last, and the levels of fixed members come after
    /// all others.
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

    /// In a plane with too many classes, the first of the two adjacent ones that together have the fewest
    /// members.
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

/// The level of a member that was surveyed.
#[inline]
pub(super) fn level_of<'a>(levels: &'a [Level], member: &Member) -> Option<&'a Level> {
    levels.iter().find(|level| level.holds(member))
}
