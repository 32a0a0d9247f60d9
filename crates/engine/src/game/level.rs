//! Levels of players: their names, numbers and skills.

/// The levels of every game.
pub const LEVEL_COUNT: usize = 10;

/// The names of some levels in every game; of a level with several names, its own name first.
const NAMES: [(&str, u8); 8] = [
    ("beginner", 2),
    ("amateur", 4),
    ("professional", 7),
    ("master", 10),
    ("easy", 2),
    ("medium", 4),
    ("hard", 7),
    ("strongest", 10),
];

/// A level by its number, 1 to [`LEVEL_COUNT`]: 1 for somebody who has just learned the rules.
///
/// ```
/// use bestmove_engine::game::LevelNumber;
/// let amateur = LevelNumber::parse("amateur").expect("the name of a level");
/// assert_eq!((amateur.get(), amateur.index(), amateur.name()), (4, 3, Some("amateur")));
/// assert_eq!(LevelNumber::parse("4"), Some(amateur));
/// assert_eq!(LevelNumber::parse("11"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LevelNumber(u8);

impl LevelNumber {
    /// From this level on, no win in one is missed, and no preventable win in one is left to the opponent.
    pub const WATCHFUL: Self = Self(4);

    /// The level with this number, if there is one.
    ///
    /// ```
    /// use bestmove_engine::game::LevelNumber;
    /// assert!(LevelNumber::new(10).is_some() && LevelNumber::new(11).is_none());
    /// ```
    #[must_use]
    pub fn new(number: u64) -> Option<Self> {
        u8::try_from(number)
            .ok()
            .filter(|number| (1..=LEVEL_COUNT as u8).contains(number))
            .map(Self)
    }

    /// The level with this name, if there is one.
    ///
    /// ```
    /// use bestmove_engine::game::LevelNumber;
    /// assert_eq!(LevelNumber::named("master"), LevelNumber::new(10));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let named = NAMES.into_iter().find(|&(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, number)| Self(number))
    }

    /// The level with this name or number, if there is one.
    ///
    /// ```
    /// use bestmove_engine::game::LevelNumber;
    /// assert_eq!(LevelNumber::parse("10"), LevelNumber::parse("master"));
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::named(text).or_else(|| Self::new(text.parse().ok()?))
    }

    /// All levels, the weakest first.
    ///
    /// ```
    /// use bestmove_engine::game::LevelNumber;
    /// assert_eq!(LevelNumber::all().map(LevelNumber::get).max(), Some(10));
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=LEVEL_COUNT as u8).map(Self)
    }

    /// The names that requests may use in place of numbers.
    ///
    /// ```
    /// use bestmove_engine::game::LevelNumber;
    /// assert!(LevelNumber::names().all(|name| LevelNumber::named(name).is_some()));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().map(|(name, _)| name)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The place in a table of all levels.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// The name, if it has one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        NAMES.into_iter().find(|&(_, number)| number == self.0).map(|(name, _)| name)
    }
}

/// The play of a level in a game.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The people whom it is like and its manner of play, in the words of players.
    pub description: &'static str,
    /// The way in which the level finds its move.
    pub skill: Skill,
    /// The measured strength.
    pub rating: Option<Rating>,
}

/// The way in which a level finds its move.
#[derive(Clone, Copy, Debug)]
pub enum Skill {
    /// Looks a few plies ahead, overlooks moves on the way, and need not take the best move.
    Careless {
        /// The errors.
        errors: Errors,
        /// The number of wins in one that the level sees, of a hundred.
        wins: u8,
    },
    /// Searches like a request with these limits.
    Search {
        /// Plies to look ahead.
        depth: Option<u32>,
        /// Positions to visit at most.
        nodes: Option<u64>,
        /// The name of the algorithm; the game's default where absent.
        algorithm: Option<&'static str>,
        /// The number of lapses in a hundred moves: moves that are played by [`Errors::LAPSE`] in place of the search.
        lapses: u8,
    },
}

/// The errors of a player who does not think a move through.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// The plies to look ahead. Captures are followed further.
    pub depth: u32,
    /// The number of overlooked moves in a hundred quiet moves that the player should see. Noisy moves are overlooked half as
    /// often where they gain a pawn or a man, and the less the more they gain.
    pub overlooks: u8,
    /// The temperature of the choice among the moves, in expected points: a move that is worse by the temperature is taken `e`
    /// times less often.
    pub temperature: f64,
}

impl Errors {
    /// A hasty move of a strong player.
    pub const LAPSE: Self = Self { depth: 2, overlooks: 12, temperature: 0.03 };

    /// Errors with `factor` times the frequency and the temperature.
    ///
    /// ```
    /// use bestmove_engine::game::Errors;
    /// let errors = Errors { depth: 2, overlooks: 40, temperature: 0.5 };
    /// let twice = errors.times(2.0);
    /// assert_eq!((twice.depth, twice.overlooks, twice.temperature), (2, 80, 1.0));
    /// assert_eq!(errors.times(9.0).overlooks, 100, "all that there are");
    /// ```
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let overlooks = (f64::from(self.overlooks) * factor).min(100.0) as u8;
        Self { overlooks, temperature: self.temperature * factor, ..self }
    }
}

/// An estimated strength.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Rating {
    /// The estimated Elo number.
    pub elo: u16,
    /// How far it may be off at 95 % confidence.
    pub error: u16,
    /// The ladder of opponents on which it was measured.
    pub ladder: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_number_are_the_same_level() {
        for level in LevelNumber::all() {
            assert_eq!(LevelNumber::parse(&level.get().to_string()), Some(level));
            let by_name = level.name().map(LevelNumber::parse);
            assert!(by_name.is_none_or(|named| named == Some(level)), "{level:?}");
        }
        let own: Vec<_> = LevelNumber::all().filter_map(LevelNumber::name).collect();
        let (names, others): (Vec<_>, Vec<_>) =
            LevelNumber::names().partition(|name| own.contains(name));
        assert_eq!(names, own);
        assert_eq!(others, ["easy", "medium", "hard", "strongest"]);
        assert!(others.iter().all(|name| LevelNumber::parse(&name.to_uppercase()).is_some()));
        for text in ["0", "11", "-1", "1.0", "", "grandmaster", "256"] {
            assert_eq!(LevelNumber::parse(text), None, "{text}");
        }
    }
}
