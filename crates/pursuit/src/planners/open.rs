//! What these searches ask of the open list beyond what others do.

use crate::search::open::{Heap, entry};

impl Heap {
    /// Whether it is time to [make room](Self::make_room).
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.entries.as_slice().len() >= self.most
    }

    /// Drops entries that do not count, to make room for pushes. Takes more memory where most of them count.
    pub(super) fn make_room(&mut self, mut counts: impl FnMut(u128) -> bool) {
        self.drop_entries(|entry| !counts(entry));
        let left = self.entries.as_slice().len();
        if self.most < left + left / 8 {
            self.most = left + left / 4;
        }
        // What is pushed before the next look at it has room, too.
        self.entries.reserve(self.most - left + 8);
        self.entries.order()
    }

    /// Drops entries. The others are in no order until [`renew`](Self::renew).
    pub(super) fn drop_entries(&mut self, mut is_dropped: impl FnMut(u128) -> bool) {
        let keep = |entry: u128| (!is_dropped(entry)).then_some(entry);
        self.entries.rewrite(keep)
    }

    /// Gives the nodes that wait another f, or drops them for `None`. Then adds `more` nodes. They rank as if all
    /// were pushed one by one.
    pub(super) fn renew(&mut self, more: &[u32], mut f: impl FnMut(u32) -> Option<u64>) {
        let mut pushed = 0;
        let mut renewed = |node: u32| {
            let renewed = f(node).map(|f| entry(f, !pushed, node));
            pushed = u32::saturating_add(pushed, u32::from(renewed.is_some()));
            renewed
        };
        let entries = &mut self.entries;
        let waiting = more.iter().map(|&node| entry(0, 0, node));
        entries.append(waiting);
        entries.rewrite(|entry| renewed(Self::node(entry)));
        self.pushed = pushed;
        self.entries.order()
    }

    /// All entries, in no order.
    pub(super) fn entries(&self) -> &[u128] {
        self.entries.as_slice()
    }

    /// The entry that [`pop`](Self::pop) would take.
    #[inline]
    pub(crate) fn first(&self) -> Option<u128> {
        self.entries.first()
    }

    /// The f of an entry.
    #[inline(always)]
    pub(crate) fn f(entry: u128) -> u64 {
        (entry >> 64) as u64
    }
}
