//! The features of the referee: every feature of a choice in its plainest form.

use super::events::Decision;
use super::position::{Player, Position, step};
use crate::games::diamond_cave::features::{self as f, DIGS_SOON, SOON, STEPS_NEAR};
use crate::games::diamond_cave::moves::{self, Asked, Choice, Direction, left_of, right_of};
use crate::games::diamond_cave::rules::{Card, GAINED_POINTS, Kind, Memory};
use crate::streams;

/// All features of the choice of this number.
pub fn all(decision: &Decision, row: usize) -> Vec<f32> {
    let features = 0..f::VOCABULARY.features.len();
    features.map(|at| feature(decision, row, at)).collect()
}

/// The value of feature `feature` of the choice of this number.
pub fn feature(decision: &Decision, row: usize, feature: usize) -> f32 {
    let (position, asked) = (decision.position, decision.asked);
    let choice = decision.choices[row];
    let seen = View::new(position, asked, choice);
    let own = seen.own;
    match feature {
        f::START..=f::STOP => truth(f::START + choice.kind() == feature),
        f::TORCH => seen.chance(|card| card.kind == Kind::Torch),
        f::DARK => seen.chance(|card| card.kind == Kind::Dark),
        f::KNOWN => truth(seen.head_card().is_some()),
        f::RIGHT_WAY => seen.bonus_chance(|_| true),
        f::GAIN if !seen.tail_diamond() => 0.0,
        f::GAIN => seen.bonus_chance(|card| card.kind != Kind::Torch),
        f::TAIL_DIAMOND => truth(seen.tail_diamond()),
        f::TAIL_POINTS => {
            let tail = own.tunnel.first();
            let worth = tail.map_or([0; 3], |tail| position.worth_at(tail.cell));
            worth.iter().sum::<i32>() as f32
        }
        f::LENGTH => own.tunnel.len() as f32,
        f::NEXT_DIAMOND => {
            let mut sections = own.tunnel.iter();
            let next = sections.position(|section| position.tile(section.cell).diamond);
            next.unwrap_or(own.tunnel.len()) as f32
        }
        f::HIDDEN => {
            let tiles = own.tunnel.iter().map(|section| position.tile(section.cell));
            tiles.filter(|tile| tile.diamond).count() as f32
        }
        f::TUNNEL_POINTS => position.tunnel_points(asked.place).iter().sum::<i32>() as f32,
        f::FRONT_DIAMOND => {
            let front = position.cell_at(seen.front);
            truth(front.is_some_and(|cell| position.shows_diamond(cell)))
        }
        f::FRONT_BLOCKED => truth(seen.front_blocked()),
        f::ROOM if seen.front_blocked() => 0.0,
        f::ROOM => seen.beside(seen.front).count() as f32,
        f::STRAIGHT => {
            let lays = matches!(choice, Choice::Plan { .. } | Choice::Exit { .. });
            let ahead = own.tunnel.last().map(|head| head.exit);
            truth(lays && ahead.is_some() && ahead == seen.way)
        }
        f::DIAMOND_DISTANCE => seen.nearest(position.diamonds()) as f32,
        f::RIM => {
            let (row, column) = seen.front;
            let last = position.rules.size as i32 - 1;
            row.min(column).min(last - row).min(last - column) as f32
        }
        f::RIVAL_DISTANCE => {
            let pawns = seen.rivals().filter_map(|place| position.head(place));
            seen.nearest(pawns.map(|head| head.cell).collect()) as f32
        }
        f::RIVALS_AHEAD => {
            let front = position.cell_at(seen.front);
            let ahead = |place: &usize| front.is_some() && position.front(*place) == front;
            seen.rivals().filter(ahead).count() as f32
        }
        f::FRONT_KNOWN => truth(!seen.front_closed() && seen.front_card().is_some()),
        f::FRONT_TORCH..=f::DIAMONDS_NEAR if seen.front_closed() => 0.0,
        f::FRONT_TORCH => seen.chance_of(seen.front_card(), |card| card.kind == Kind::Torch),
        f::FRONT_DARK => seen.chance_of(seen.front_card(), |card| card.kind == Kind::Dark),
        f::DEAD_END => seen.dead_end(1),
        f::DEAD_END_SOON => seen.dead_end(SOON),
        f::POINTS_SOON => seen.points_soon(),
        f::REACH => seen.near().len() as f32,
        f::DIAMONDS_NEAR => {
            let near = seen.near().into_iter();
            near.filter(|cell| position.shows_diamond(*cell)).count() as f32
        }
        f::COVERS_LAST => {
            let exits = matches!(choice, Choice::Exit { .. });
            let covered = seen.covered.filter(|cell| position.shows_diamond(*cell));
            truth(covered.is_some() && !exits && position.diamonds().len() == 1)
        }
        f::BLOCKS => seen.victims().len() as f32,
        f::BLOCKS_POINTS => {
            let points = seen.victims().into_iter();
            let points = points.flat_map(|place| position.tunnel_points(place));
            points.sum::<i32>() as f32
        }
        f::DIAMONDS_LEFT => position.diamonds().len() as f32,
        f::DECK_LEFT => position.deck.len() as f32,
        f::GAINED => own.gained.len() as f32,
        f::POINTS => position.points(asked.place) as f32,
        f::LEAD => {
            let best = seen.rivals().map(|place| position.points(place)).max();
            (position.points(asked.place) - best.unwrap_or(0)) as f32
        }
        f::PLAYERS => position.players.len() as f32,
        f::TURN_DIGS => asked.turn_digs as f32,
        f::TURNS => asked.turns as f32,
        f::TEMPER => streams::temper(asked.key, asked.seat),
        f::RANDOM => moves::random(asked.key, asked.decision),
        f::NOISE => moves::noise(asked.key, asked.decision, row),
        _ => unreachable!("no such feature"),
    }
}

/// A choice, seen from the place of the player who is asked.
struct View<'a> {
    position: &'a Position<'a>,
    asked: Asked,
    choice: Choice,
    own: &'a Player,
    /// The cell that the choice covers with a tunnel, or has just covered.
    covered: Option<usize>,
    /// The way by which the front is reached, once the player has begun.
    way: Option<Direction>,
    /// Row and column of the front, perhaps off the board.
    front: (i32, i32),
}

impl<'a> View<'a> {
    fn new(position: &'a Position, asked: Asked, choice: Choice) -> Self {
        let own = &position.players[asked.place];
        let head = own.tunnel.last();
        let ahead = head.map(|head| head.exit);
        let (covered, way) = match choice {
            Choice::Start { cell } => (Some(usize::from(cell)), None),
            Choice::Dig { .. } => (position.front(asked.place), ahead),
            Choice::Plan { exit, .. } => (position.front(asked.place), Some(exit)),
            Choice::Exit { exit } => (position.upturned.map(|up| up.cell), Some(exit)),
            Choice::Turn { exit } => (None, Some(exit)),
            Choice::Stop | Choice::GoOn => (None, ahead),
        };
        let last = covered.or(head.map(|head| head.cell));
        let last = position.place_of(last.expect("a card covered, or the head"));
        let front = match (choice, way) {
            (Choice::Start { .. } | Choice::Dig { .. }, _) | (_, None) => last,
            (_, Some(way)) => step(last, way),
        };
        View {
            position,
            asked,
            choice,
            own,
            covered,
            way,
            front,
        }
    }

    /// Whether the choice turns up a card, so that its way out is still to be chosen.
    fn turns_up(&self) -> bool {
        matches!(self.choice, Choice::Start { .. } | Choice::Dig { .. })
    }

    /// The card that will be the head, if the player knows it.
    fn head_card(&self) -> Option<Card> {
        let position = self.position;
        match self.choice {
            Choice::Start { .. } | Choice::Dig { .. } => self.card_at(self.covered?),
            Choice::Plan { slot, .. } => Some(position.card(position.planned[usize::from(slot)])),
            Choice::Exit { .. } => Some(position.front_of(self.covered?)),
            Choice::Turn { .. } | Choice::Stop | Choice::GoOn => {
                Some(position.front_of(self.own.tunnel.last()?.cell))
            }
        }
    }

    /// The card of a cell that is face down, if the player knows it.
    fn card_at(&self, cell: usize) -> Option<Card> {
        let position = self.position;
        let card = position.tile(cell).card;
        let remembered = position.rules.memory == Memory::Perfect;
        (remembered && position.seen[usize::from(card)]).then(|| position.card(card))
    }

    /// The card at the front, if the player knows it.
    fn front_card(&self) -> Option<Card> {
        self.card_at(self.position.cell_at(self.front)?)
    }

    /// The cards that an unknown one may be, with equal probability.
    fn pool(&self) -> Vec<Card> {
        let position = self.position;
        let visible = |card: u8| {
            let on_board =
                |cell: usize| position.is_face_up(cell) && position.tile(cell).card == card;
            position.planned.contains(&card) || (0..position.tiles.len()).any(on_board)
        };
        let known = |card: u8| match position.rules.memory {
            Memory::Perfect => position.seen[usize::from(card)],
            Memory::None => visible(card),
        };
        let cards = (0..).zip(&position.rules.cards);
        let unknown = cards.filter(|(number, _)| !known(*number));
        unknown.map(|(_, card)| *card).collect()
    }

    /// The probability that the head will be such a card.
    fn chance(&self, such: impl Fn(Card) -> bool) -> f32 {
        self.chance_of(self.head_card(), such)
    }

    /// The same of a card that the player may know.
    fn chance_of(&self, card: Option<Card>, such: impl Fn(Card) -> bool) -> f32 {
        match card {
            Some(card) => truth(such(card)),
            None => {
                let pool = self.pool();
                let matching = pool.iter().filter(|card| such(**card)).count();
                matching as f32 / pool.len() as f32
            }
        }
    }

    /// The chance that the choice has the bonus and the head is such a card.
    fn bonus_chance(&self, such: impl Fn(Card) -> bool) -> f32 {
        match self.choice {
            Choice::Plan { .. } => self.chance(such),
            Choice::Dig { colour } => self.chance(|card| card.has(colour) && such(card)),
            Choice::Exit { .. } if self.position.upturned.is_some_and(|up| up.right) => {
                self.chance(such)
            }
            _ => 0.0,
        }
    }

    fn tail_diamond(&self) -> bool {
        let tail = self.own.tunnel.first();
        tail.is_some_and(|tail| self.position.tile(tail.cell).diamond)
    }

    /// Whether `cell` lies open after the choice. When a way out is chosen, the tail has already
    /// been turned down, and a gained card replaced.
    fn is_open_after(&self, cell: usize) -> bool {
        let position = self.position;
        let tail = self.own.tunnel.first();
        let bonus = match self.choice {
            Choice::Plan { .. } => true,
            Choice::Exit { .. } => position.upturned.is_some_and(|up| up.right),
            _ => return position.is_open(cell),
        };
        let head = self.head_card();
        let torch = head.is_some_and(|card| card.kind == Kind::Torch);
        if tail.is_some_and(|tail| tail.cell == cell) && !torch {
            let gained = bonus && self.tail_diamond();
            return !(gained && position.deck.is_empty());
        }
        position.is_open(cell) && self.covered != Some(cell)
    }

    fn front_blocked(&self) -> bool {
        !self.turns_up() && self.front_closed()
    }

    /// Whether no player could dig at the front after the choice.
    fn front_closed(&self) -> bool {
        self.free(self.front, &[]).is_none()
    }

    /// The cell at a place, if it lies open after the choice and is not among these.
    fn free(&self, at: (i32, i32), been: &[usize]) -> Option<usize> {
        let cell = self.position.cell_at(at)?;
        (self.is_open_after(cell) && !been.contains(&cell)).then_some(cell)
    }

    /// The probability that no way leads on from the front within `cards` cards.
    fn dead_end(&self, cards: usize) -> f32 {
        let Some(way) = self.way else { return 0.0 };
        self.dead_end_from(self.front, way, cards, &mut Vec::new())
    }

    /// The mean points that the next digs add.
    fn points_soon(&self) -> f32 {
        let Some(way) = self.way else { return 0.0 };
        let position = self.position;
        let worth = |kind, diamond| (position.rules.worth(kind, diamond).iter().sum(), diamond);
        let sections = self.own.tunnel.iter();
        let of = |cell| worth(position.front_of(cell).kind, position.tile(cell).diamond);
        let mut tunnel: Vec<(i32, bool)> = sections.map(|section| of(section.cell)).collect();
        if let (Choice::Plan { .. } | Choice::Exit { .. }, Some(card), Some(cell)) =
            (self.choice, self.head_card(), self.covered)
        {
            tunnel.push(worth(card.kind, position.tile(cell).diamond));
            if card.kind != Kind::Torch && tunnel.len() > 1 {
                tunnel.remove(0);
            }
        }
        self.points_from(self.front, way, DIGS_SOON, &tunnel, &mut Vec::new())
    }

    /// The points that digs add from a place entered by a way, with a tunnel of such points and
    /// diamonds, tail first, that has visited some cells before.
    fn points_from(
        &self,
        at: (i32, i32),
        way: Direction,
        digs: usize,
        tunnel: &[(i32, bool)],
        been: &mut Vec<usize>,
    ) -> f32 {
        let position = self.position;
        let Some(cell) = self.free(at, been) else {
            return 0.0;
        };
        let card = self.card_at(cell);
        let pool = self.pool();
        let others = || pool.iter().filter(|card| card.kind != Kind::Torch);
        let with = |edge| others().filter(|card| card.has(edge)).count();
        let right = match card {
            Some(_) => 1.0,
            None => {
                let best = moves::DIRECTIONS.into_iter().map(with).max();
                best.unwrap_or(0) as f32 / others().count().max(1) as f32
            }
        };
        let straight = self.chance_of(card, Card::is_straight);
        let diamond = position.tile(cell).diamond;
        let mut points = 0.0;
        for kind in [Kind::Torch, Kind::Standard, Kind::Dark] {
            let chance = self.chance_of(card, |card| card.kind == kind);
            if chance == 0.0 {
                continue;
            }
            let head: i32 = position.rules.worth(kind, diamond).iter().sum();
            let mut tunnel = tunnel.to_vec();
            tunnel.push((head, diamond));
            let mut adds = head as f32;
            if kind != Kind::Torch {
                let (tail, hides) = tunnel.remove(0);
                adds += truth(hides) * right * GAINED_POINTS as f32 - tail as f32;
            }
            if kind != Kind::Dark && digs > 1 {
                been.push(cell);
                let mut on = |way| {
                    let points = self.points_from(step(at, way), way, digs - 1, &tunnel, been);
                    points.max(0.0)
                };
                let aside = on(left_of(way)).max(on(right_of(way)));
                let ahead = on(way);
                been.pop();
                adds += straight * ahead + (1.0 - straight) * aside;
            }
            points += chance * adds;
        }
        points
    }

    /// The same for a tunnel that enters a place by a way and has visited some cells before.
    fn dead_end_from(
        &self,
        at: (i32, i32),
        way: Direction,
        cards: usize,
        been: &mut Vec<usize>,
    ) -> f32 {
        let Some(cell) = self.free(at, been) else {
            return 1.0;
        };
        if cards == 0 {
            return 0.0;
        }
        been.push(cell);
        let mut on = |way| self.dead_end_from(step(at, way), way, cards - 1, been);
        let aside = on(left_of(way)).min(on(right_of(way)));
        let ahead = on(way);
        been.pop();
        let straight = self.chance_of(self.card_at(cell), Card::is_straight);
        straight * ahead + (1.0 - straight) * aside
    }

    /// The open cells near the front, including the front.
    fn near(&self) -> Vec<usize> {
        let position = self.position;
        let mut near: Vec<usize> = position.cell_at(self.front).into_iter().collect();
        let mut last = near.clone();
        for _ in 0..STEPS_NEAR {
            let beside = |cell: &usize| self.beside(position.place_of(*cell));
            let mut next: Vec<usize> = last.iter().flat_map(beside).collect();
            next.sort_unstable();
            next.dedup();
            next.retain(|cell| !near.contains(cell));
            near.extend(&next);
            last = next;
        }
        near
    }

    /// The open cells beside a place.
    fn beside(&self, at: (i32, i32)) -> impl Iterator<Item = usize> {
        let beside = moves::DIRECTIONS.map(|way| self.position.cell_at(step(at, way)));
        let cells = beside.into_iter().flatten();
        cells.filter(|&cell| self.is_open_after(cell))
    }

    /// Steps from the front to the nearest of `cells`; twice the side of the board if there is
    /// none.
    fn nearest(&self, cells: Vec<usize>) -> i32 {
        let (row, column) = self.front;
        let steps = |cell: usize| {
            let (to_row, to_column) = self.position.place_of(cell);
            (row - to_row).abs() + (column - to_column).abs()
        };
        let far = 2 * self.position.rules.size as i32;
        cells.into_iter().map(steps).min().unwrap_or(far)
    }

    fn rivals(&self) -> impl Iterator<Item = usize> {
        let place = self.asked.place;
        (0..self.position.players.len()).filter(move |&other| other != place)
    }

    /// The others with a front that the choice covers.
    fn victims(&self) -> Vec<usize> {
        let covers = self.turns_up() || matches!(self.choice, Choice::Plan { .. });
        let blocked = |place: &usize| covers && self.position.front(*place) == self.covered;
        self.rivals().filter(blocked).collect()
    }
}

fn truth(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}
