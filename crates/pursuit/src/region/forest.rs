//! Union-find.

/// Trees over `0..len`; the root of a tree is its smallest member. Finding a root halves the way to
/// it (Tarjan and van Leeuwen, 1984).
#[derive(Default)]
pub(super) struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    /// Makes it `len` trees of one member each.
    pub(super) fn reset(&mut self, len: usize) {
        self.parents.clear();
        self.parents.extend(0..len as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn root(&mut self, mut member: u32) -> u32 {
        loop {
            let parent = self.parents[member as usize];
            if parent == member {
                return member;
            }
            let grandparent = self.parents[parent as usize];
            self.parents[member as usize] = grandparent;
            member = grandparent;
        }
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}
