//! Layout of the page's areas: four splits, each a share in thousandths, and at most one maximised area.

/// A divider between two areas that the user can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Editor and terminal beside cluster and panels.
    Columns,
    /// Editor over terminal.
    Left,
    /// Cluster over panels.
    Right,
    /// What the inspector leaves free of a panel.
    Lower,
}

/// All dividers, in the order of their shares in [`PageLayout`].
pub const SPLITS: [Split; 4] = [Split::Columns, Split::Left, Split::Right, Split::Lower];

impl Split {
    /// Minimum, default and maximum share of the first area, in thousandths.
    #[must_use]
    pub const fn bounds(self) -> (u16, u16, u16) {
        match self {
            Self::Columns => (200, 485, 800),
            Self::Left | Self::Right => (150, 524, 850),
            Self::Lower => (300, 560, 850),
        }
    }

    /// Whether its areas are side by side.
    #[must_use]
    pub const fn is_upright(self) -> bool {
        matches!(self, Self::Columns | Self::Lower)
    }

    /// Its name in the style sheet.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Columns => "columns",
            Self::Left => "left",
            Self::Right => "right",
            Self::Lower => "lower",
        }
    }

    const fn index(self) -> usize {
        self as usize
    }
}

/// The shares of all splits, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLayout([u16; 4]);

impl Default for PageLayout {
    fn default() -> Self {
        Self(SPLITS.map(|split| split.bounds().1))
    }
}

impl PageLayout {
    /// Share of a split.
    #[must_use]
    pub const fn share(&self, split: Split) -> u16 {
        self.0[split.index()]
    }

    /// Sets the share of a split within its bounds.
    #[must_use]
    pub fn with(mut self, split: Split, share: i32) -> Self {
        let (least, _, most) = split.bounds();
        self.0[split.index()] = share.clamp(least.into(), most.into()).unsigned_abs() as u16;
        self
    }

    /// Resets a split to its default.
    #[must_use]
    pub fn reset(self, split: Split) -> Self {
        self.with(split, split.bounds().1.into())
    }

    /// As CSS properties: `--columns:48.5%;...`.
    #[must_use]
    pub fn style(&self) -> String {
        let property = |split: Split| {
            let share = self.share(split);
            format!("--{}:{}.{}%;", split.name(), share / 10, share % 10)
        };
        SPLITS.map(property).concat()
    }

    /// Encodes it for storage.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.map(|share| share.to_string()).join(",")
    }

    /// Decodes it from storage; invalid parts get defaults.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let known = SPLITS.into_iter().zip(text.split(','));
        known.fold(Self::default(), |layout, (split, share)| match share.trim().parse() {
            Ok(share) => layout.with(split, share),
            Err(_) => layout,
        })
    }
}

/// The share for a pointer at `at` within an area of this start and length.
#[must_use]
pub fn share_at(at: f64, start: f64, length: f64) -> i32 {
    if length <= 0.0 { 500 } else { ((at - start) / length * 1000.0) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_stay_within_bounds() {
        let layout = PageLayout::default().with(Split::Columns, 5000).with(Split::Left, -3);
        assert_eq!((layout.share(Split::Columns), layout.share(Split::Left)), (800, 150));
        assert_eq!(layout.reset(Split::Columns).share(Split::Columns), 485);
        assert_eq!(share_at(250.0, 50.0, 400.0), 500);
        assert_eq!(share_at(250.0, 50.0, 0.0), 500);
    }

    #[test]
    fn storage_round_trip() {
        let layout = PageLayout::default().with(Split::Right, 333);
        assert_eq!(PageLayout::from_text(&layout.text()), layout);
        assert_eq!(PageLayout::from_text(""), PageLayout::default());
        assert_eq!(PageLayout::from_text("x,-5,99999999999,333,1,2,3").share(Split::Left), 150);
        assert_eq!(PageLayout::from_text("x,-5,99999999999,333").share(Split::Lower), 333);
        assert!(layout.style().contains("--right:33.3%;"), "{}", layout.style());
    }
}
