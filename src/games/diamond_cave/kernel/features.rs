//! What bots see, as the kernel finds it: the features of all choices of a decision at once, and
//! only those that the bot's program for the question reads.

use super::cave::{Cave, Tunnel, has};
use super::ground::{ALL, DARKS, EDGE, EDGE_NO_TORCH, Ground, OFF, TORCHES, ways_on};
use super::questions::Question;
use super::shown::Shown;
use crate::games::diamond_cave::features as f;
use crate::games::diamond_cave::moves::{
    self, Asked, Choice, DIRECTIONS, Direction, left_of, right_of,
};
use crate::games::diamond_cave::rules::Kind;
use fearless_simd::Simd;

const HEAD: u64 = 1 << f::TORCH | 1 << f::DARK | 1 << f::KNOWN;
const BONUS: u64 = 1 << f::RIGHT_WAY | 1 << f::GAIN;
const OPEN: u64 = 1 << f::FRONT_BLOCKED | 1 << f::ROOM;
const RIVALS: u64 = 1 << f::RIVAL_DISTANCE | 1 << f::RIVALS_AHEAD;
const BLOCKS: u64 = 1 << f::BLOCKS | 1 << f::BLOCKS_POINTS;

/// What does not depend on the choice.
const SHARED: u64 = 1 << f::TAIL_DIAMOND
    | 1 << f::LENGTH
    | 1 << f::HIDDEN
    | 1 << f::TUNNEL_POINTS
    | 1 << f::GAINED
    | 1 << f::POINTS
    | 1 << f::LEAD
    | 1 << f::RANDOM
    | 1 << f::DIAMONDS_LEFT
    | 1 << f::DECK_LEFT
    | 1 << f::TURN_DIGS
    | 1 << f::TURNS;
/// What depends on what the choice does to the board.
const BOARD: u64 = !(SHARED | 1 << f::NOISE);

/// What there is to see of a card that becomes the head: the chance that it is a torch, that it
/// is dark, and whether it is known.
type Head = [f32; 3];
const HEAD_FEATURES: [usize; 3] = [f::TORCH, f::DARK, f::KNOWN];

/// What there is to see from a front, whatever is open.
type Ahead = [f32; 5];
const VIEW_FEATURES: [usize; 5] = [
    f::FRONT_DIAMOND,
    f::DIAMOND_DISTANCE,
    f::RIM,
    f::RIVAL_DISTANCE,
    f::RIVALS_AHEAD,
];

/// The board, seen from the place of the player who is asked.
pub struct View<'a> {
    ground: &'a Ground,
    cave: &'a Cave,
    asked: &'a Asked,
    own: &'a Tunnel,
    open: u128,
    showing: u128,
    /// Cell of the tail, or [`OFF`].
    tail: u8,
    tail_diamond: bool,
}

impl<'a> View<'a> {
    /// Looks at the board before a decision.
    #[inline(always)]
    pub fn new(ground: &'a Ground, cave: &'a Cave, asked: &'a Asked) -> Self {
        let own = &cave.tunnels[asked.place];
        let (tail, tail_diamond) = match own.length {
            0 => (OFF, false),
            _ => (own.tail(), has(cave.diamonds, own.tail())),
        };
        View {
            ground,
            cave,
            asked,
            own,
            open: cave.open(ground),
            showing: cave.showing(),
            tail,
            tail_diamond,
        }
    }

    /// Fills a row for each of the choices, which answer `question` and are numbered from `first`
    /// in their decision, with all features that are read.
    #[inline(always)]
    pub fn fill<S: Simd>(
        &self,
        simd: S,
        shown: &mut Shown,
        question: Question,
        choices: &[Choice],
        first: usize,
    ) {
        if shown.reads(SHARED) {
            self.fill_shared(shown, choices.len());
        }
        if shown.reads(BOARD) {
            self.fill_board(simd, shown, question, choices);
        }
        if shown.reads(1 << f::NOISE) {
            for row in 0..choices.len() {
                let noise = moves::noise(self.asked.key, self.asked.decision, first + row);
                shown.set(f::NOISE, row, [noise]);
            }
        }
    }

    #[inline(always)]
    fn fill_board<S: Simd>(
        &self,
        simd: S,
        shown: &mut Shown,
        question: Question,
        choices: &[Choice],
    ) {
        match question {
            Question::Start => self.fill_starts(simd, shown, choices),
            Question::Act => self.fill_acts(simd, shown, choices),
            Question::Exit => self.fill_exits(simd, shown, choices),
            Question::Turn => self.fill_turns(simd, shown, choices),
            Question::Stop | Question::GoOn => {
                let head = self.cave.cards[usize::from(self.own.head)];
                self.share_head(shown, 1, Some(head));
                set_views(shown, 0, [self.view(simd, shown, self.own.front)]);
                self.fill_open(shown, 0, [self.own.front], self.open);
            }
        }
    }

    #[inline(always)]
    fn fill_shared(&self, shown: &mut Shown, count: usize) {
        let (cave, asked, own) = (self.cave, self.asked, self.own);
        shown.share(f::TAIL_DIAMOND, count, truth(self.tail_diamond));
        shown.share(f::LENGTH, count, f32::from(own.length));
        shown.share(f::HIDDEN, count, own.hidden as f32);
        shown.share(f::TUNNEL_POINTS, count, own.tunnel_points as f32);
        shown.share(f::GAINED, count, own.gained as f32);
        shown.share(f::POINTS, count, own.points() as f32);
        if shown.reads(1 << f::LEAD) {
            let rivals = self.rivals().map(|place| cave.tunnels[place].points());
            let lead = own.points() - rivals.max().unwrap_or(0);
            shown.share(f::LEAD, count, lead as f32);
        }
        if shown.reads(1 << f::RANDOM) {
            let random = moves::random(asked.key, asked.decision);
            shown.share(f::RANDOM, count, random);
        }
        shown.share(f::DIAMONDS_LEFT, count, self.showing.count_ones() as f32);
        shown.share(f::DECK_LEFT, count, cave.deck_left() as f32);
        shown.share(f::TURN_DIGS, count, asked.turn_digs as f32);
        shown.share(f::TURNS, count, asked.turns as f32);
    }

    #[inline(always)]
    fn fill_starts<S: Simd>(&self, simd: S, shown: &mut Shown, choices: &[Choice]) {
        // What has been face up so far still is, or is planned: no card is known.
        self.share_head(shown, choices.len(), None);
        for (row, &choice) in choices.iter().enumerate() {
            let Choice::Start { cell } = choice else {
                unreachable!("a start");
            };
            let spot = self.ground.spot_of[usize::from(cell)];
            set_views(shown, row, [self.view(simd, shown, spot)]);
            shown.set(f::ROOM, row, [self.room(spot, self.open)]);
            let (players, points) = self.blocked(shown, spot);
            shown.set(f::BLOCKS, row, [players]);
            shown.set(f::BLOCKS_POINTS, row, [points]);
        }
    }

    /// Planned cards, and then all edges or none.
    #[inline(always)]
    fn fill_acts<S: Simd>(&self, simd: S, shown: &mut Shown, choices: &[Choice]) {
        let (count, front) = (choices.len(), self.own.front);
        let (players, points) = self.blocked(shown, front);
        shown.share(f::BLOCKS, count, players);
        shown.share(f::BLOCKS_POINTS, count, points);
        let digs = matches!(choices[count - 1], Choice::Dig { .. });
        let plans = if digs { count - 4 } else { count };
        if plans > 0 {
            self.fill_plans(simd, shown);
        }
        if digs {
            self.fill_digs(simd, shown, plans);
        }
    }

    /// The planned cards. Of a straight one the second row belongs to what comes after it, and is
    /// written again.
    #[inline(always)]
    fn fill_plans<S: Simd>(&self, simd: S, shown: &mut Shown) {
        let (ground, own) = (self.ground, self.own);
        let mut views = [Ahead::default(); 4];
        for exit in [left_of(own.exit), own.exit, right_of(own.exit)] {
            let spot = ground.step(own.front, exit);
            views[usize::from(exit)] = self.view(simd, shown, spot);
        }
        let covered = 1 << ground.cell_of[usize::from(own.front)];
        let mut row = 0;
        for &card in &self.cave.planned[..ground.planned] {
            let (ways, count) = ways_on(ground.edges[usize::from(card)], own.exit);
            let [torch, dark, known] = self.head(shown, Some(card));
            shown.set(f::PLAN, row, [1.0; 2]);
            shown.set(f::DIG, row, [0.0; 2]);
            shown.set(f::TORCH, row, [torch; 2]);
            shown.set(f::DARK, row, [dark; 2]);
            shown.set(f::KNOWN, row, [known; 2]);
            shown.set(f::RIGHT_WAY, row, [1.0; 2]);
            shown.set(f::GAIN, row, [self.gain(1.0 - torch); 2]);
            shown.set(f::STRAIGHT, row, [truth(count == 1); 2]);
            set_views(shown, row, ways.map(|exit| views[usize::from(exit)]));
            let open = self.open_after(card, true) & !covered;
            let spots = ways.map(|exit| ground.step(own.front, exit));
            self.fill_open(shown, row, spots, open);
            row += count;
        }
    }

    /// The four edges of the card in front, as the rows from `row`.
    #[inline(always)]
    fn fill_digs<S: Simd>(&self, simd: S, shown: &mut Shown, row: usize) {
        let (ground, cave, front) = (self.ground, self.cave, self.own.front);
        let card = cave.cards[usize::from(ground.cell_of[usize::from(front)])];
        let known = !ground.forgets && has(cave.seen, card);
        let card = known.then_some(card);
        let [torch, dark, known] = self.head(shown, card);
        shown.set(f::PLAN, row, [0.0; 4]);
        shown.set(f::DIG, row, [1.0; 4]);
        shown.set(f::TORCH, row, [torch; 4]);
        shown.set(f::DARK, row, [dark; 4]);
        shown.set(f::KNOWN, row, [known; 4]);
        if shown.reads(BONUS) {
            let (right, gains) = self.edges(card);
            shown.set(f::RIGHT_WAY, row, right);
            shown.set(f::GAIN, row, gains.map(|gain| self.gain(gain)));
        }
        shown.set(f::STRAIGHT, row, [0.0; 4]);
        set_views(shown, row, [self.view(simd, shown, front); 4]);
        shown.set(f::FRONT_BLOCKED, row, [0.0; 4]);
        shown.set(f::ROOM, row, [self.room(front, self.open); 4]);
    }

    /// For each edge, the chance that a card has it, and that it is no torch besides.
    #[inline(always)]
    fn edges(&self, card: Option<u8>) -> ([f32; 4], [f32; 4]) {
        match card {
            Some(card) => {
                let edges = self.ground.edges[usize::from(card)];
                let right = DIRECTIONS.map(|edge| truth(edges >> edge & 1 == 1));
                let torch = self.ground.kinds[usize::from(card)] == Kind::Torch;
                (right, if torch { [0.0; 4] } else { right })
            }
            None => {
                let pool = &self.cave.pool;
                let part = |at: usize| f32::from(pool[at]) / f32::from(pool[ALL]);
                let right = [0, 1, 2, 3].map(|edge| part(EDGE + edge));
                (right, [0, 1, 2, 3].map(|edge| part(EDGE_NO_TORCH + edge)))
            }
        }
    }

    /// The two ways out of the card that was turned up; a single one is no question.
    #[inline(always)]
    fn fill_exits<S: Simd>(&self, simd: S, shown: &mut Shown, choices: &[Choice]) {
        let (ground, cave) = (self.ground, self.cave);
        let card = cave.cards[usize::from(cave.upturned)];
        let [torch, ..] = self.share_head(shown, 2, Some(card));
        let bonus = truth(cave.right);
        shown.share(f::RIGHT_WAY, 2, bonus);
        shown.share(f::GAIN, 2, self.gain(bonus * (1.0 - torch)));
        let ways = [choices[0], choices[1]].map(exit_of);
        let from = ground.spot_of[usize::from(cave.upturned)];
        let spots = ways.map(|exit| ground.step(from, exit));
        let [first, second] = spots;
        let views = [
            self.view(simd, shown, first),
            self.view(simd, shown, second),
        ];
        set_views(shown, 0, views);
        self.fill_open(shown, 0, spots, self.open_after(card, cave.right));
        let straight = |exit| truth(self.tail != OFF && exit == self.own.exit);
        shown.set(f::STRAIGHT, 0, ways.map(straight));
    }

    #[inline(always)]
    fn fill_turns<S: Simd>(&self, simd: S, shown: &mut Shown, choices: &[Choice]) {
        let (ground, own) = (self.ground, self.own);
        let head = self.cave.cards[usize::from(own.head)];
        self.share_head(shown, choices.len(), Some(head));
        for (row, &choice) in choices.iter().enumerate() {
            let from = ground.spot_of[usize::from(own.head)];
            let spot = ground.step(from, exit_of(choice));
            set_views(shown, row, [self.view(simd, shown, spot)]);
            self.fill_open(shown, row, [spot], self.open);
        }
    }

    /// The open cells once the tail is turned down, and replaced if it is gained.
    #[inline(always)]
    fn open_after(&self, head: u8, bonus: bool) -> u128 {
        let stays = self.ground.kinds[usize::from(head)] == Kind::Torch || self.tail == OFF;
        let gap = bonus && self.tail_diamond && self.cave.deck_left() == 0;
        match stays || gap {
            true => self.open,
            false => self.open | 1 << self.tail,
        }
    }

    /// Whether fronts that are not turned up are blocked, and the room beside them.
    #[inline(always)]
    fn fill_open<const N: usize>(&self, shown: &mut Shown, row: usize, spots: [u8; N], open: u128) {
        if shown.reads(OPEN) {
            let free = spots.map(|spot| {
                let cell = self.ground.cell_of[usize::from(spot)];
                truth(cell != OFF && has(open, cell))
            });
            shown.set(f::FRONT_BLOCKED, row, free.map(|free| 1.0 - free));
            let mut room = spots.map(|spot| self.room(spot, open));
            for at in 0..N {
                room[at] *= free[at];
            }
            shown.set(f::ROOM, row, room);
        }
    }

    #[inline(always)]
    fn room(&self, spot: u8, open: u128) -> f32 {
        (self.ground.beside[usize::from(spot)] & open).count_ones() as f32
    }

    /// A chance to gain what the tail hides.
    #[inline(always)]
    fn gain(&self, chance: f32) -> f32 {
        if self.tail_diamond { chance } else { 0.0 }
    }

    /// What there is to see of a card, or of one that is not known.
    #[inline(always)]
    fn head(&self, shown: &Shown, card: Option<u8>) -> Head {
        match card {
            Some(card) => {
                let kind = self.ground.kinds[usize::from(card)];
                [truth(kind == Kind::Torch), truth(kind == Kind::Dark), 1.0]
            }
            None if shown.reads(HEAD) => {
                let pool = &self.cave.pool;
                let part = |at: usize| f32::from(pool[at]) / f32::from(pool[ALL]);
                [part(TORCHES), part(DARKS), 0.0]
            }
            None => [0.0; 3],
        }
    }

    #[inline(always)]
    fn share_head(&self, shown: &mut Shown, count: usize, card: Option<u8>) -> Head {
        let head = self.head(shown, card);
        for (feature, value) in HEAD_FEATURES.into_iter().zip(head) {
            shown.share(feature, count, value);
        }
        head
    }

    /// What there is to see from `spot`, as far as it is read.
    #[inline(always)]
    fn view<S: Simd>(&self, simd: S, shown: &Shown, spot: u8) -> Ahead {
        let ground = self.ground;
        let cell = ground.cell_of[usize::from(spot)];
        let (mut diamond, mut diamond_distance) = (false, 0);
        if shown.reads(1 << f::FRONT_DIAMOND) {
            diamond = cell != OFF && has(self.showing, cell);
        }
        if shown.reads(1 << f::DIAMOND_DISTANCE) {
            diamond_distance = ground.nearest(simd, spot, self.showing);
        }
        let (mut rival_distance, mut rivals_ahead) = (ground.far(), 0u8);
        if shown.reads(RIVALS) {
            for place in self.rivals() {
                let rival = &self.cave.tunnels[place];
                if rival.length > 0 {
                    rival_distance = rival_distance.min(ground.distance(spot, rival.head));
                    rivals_ahead += u8::from(cell != OFF && rival.front == spot);
                }
            }
        }
        [
            truth(diamond),
            f32::from(diamond_distance),
            f32::from(ground.rim[usize::from(spot)]),
            f32::from(rival_distance),
            f32::from(rivals_ahead),
        ]
    }

    /// How many others point to `spot`, which is covered, and what their tunnels are worth.
    #[inline(always)]
    fn blocked(&self, shown: &Shown, spot: u8) -> (f32, f32) {
        let (mut players, mut points) = (0, 0);
        if shown.reads(BLOCKS) {
            for place in self.rivals() {
                let rival = &self.cave.tunnels[place];
                if rival.length > 0 && rival.front == spot {
                    players += 1;
                    points += rival.tunnel_points;
                }
            }
        }
        (players as f32, points as f32)
    }

    #[inline(always)]
    fn rivals(&self) -> impl Iterator<Item = usize> {
        let place = self.asked.place;
        (0..self.ground.players).filter(move |&other| other != place)
    }
}

#[inline(always)]
fn set_views<const N: usize>(shown: &mut Shown, row: usize, views: [Ahead; N]) {
    for (at, feature) in VIEW_FEATURES.into_iter().enumerate() {
        shown.set(feature, row, views.map(|view| view[at]));
    }
}

/// Where the pawn points after the choice of a way.
#[inline(always)]
fn exit_of(choice: Choice) -> Direction {
    match choice {
        Choice::Exit { exit } | Choice::Turn { exit } => exit,
        _ => unreachable!("a way"),
    }
}

#[inline(always)]
fn truth(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}
