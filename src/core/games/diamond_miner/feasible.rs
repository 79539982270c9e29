//! Analysis of recipes: whether each can ever fire, which cards are obtainable, and their worth.
//!
//! Looks at the recipes of a rules file all together; `recipes` parses them.

use super::cards::{CLASSES, Counts, DIAMOND, NAMES, ORE, SHIELD, SWORD, WORTH_UNITS};
use super::recipes::{Effect, Printed};
use crate::diagnostic::Fault;

/// Checks that every recipe can fire and that its products exist; returns which classes are
/// obtainable.
pub fn feasible(copies: &Counts, printed: &[Printed]) -> Result<[bool; CLASSES], Fault> {
    for one in printed {
        possible(one, copies)?;
    }
    for (index, one) in printed.iter().enumerate() {
        if preempted(index, one, printed) {
            return Err(never(one, "its stack turns into something else first"));
        }
    }
    let mut made = [false; CLASSES];
    made[ORE] = true;
    for _ in 0..CLASSES {
        for Printed { recipe, .. } in printed {
            if (0..CLASSES).all(|class| made[class] || recipe.need[class] == 0) {
                for gives in &recipe.gives {
                    (0..CLASSES).for_each(|class| made[class] |= gives[class] > 0);
                }
            }
        }
    }
    for one in printed {
        let needed = |class: &usize| one.recipe.need[*class] > 0 && !made[*class];
        if let Some(class) = (0..CLASSES).find(needed) {
            let why = format!("no obtainable cards give `{}`", NAMES[class]);
            return Err(never(one, &why));
        }
    }
    Ok(made)
}

fn never(one: &Printed, why: &str) -> Fault {
    let message = format!("this recipe can never apply: {why}");
    Fault::new(one.span.clone(), message, "never applies")
}

/// Checks one recipe by itself.
fn possible(one: &Printed, copies: &Counts) -> Result<(), Fault> {
    let recipe = &one.recipe;
    let mut under = recipe.need;
    under[recipe.top] -= 1;
    if under.iter().all(|copies| *copies == 0) {
        let why = "it needs only its top card, and only stacks have rules";
        return Err(never(one, why));
    }
    if recipe.need[DIAMOND] > 0 {
        return Err(never(one, "a diamond never lies in a stack"));
    }
    if under[SHIELD] > 0 && under[SWORD] > 0 {
        let why = "a shield and a sword in one stack are discarded";
        return Err(never(one, why));
    }
    for class in 0..CLASSES {
        let (name, exist, needs) = (NAMES[class], copies[class], recipe.need[class]);
        if needs > exist {
            let why = format!("it needs {needs} of {name}, and there are {exist}");
            return Err(never(one, &why));
        }
        let mut gives = recipe.gives.iter().map(|gives| gives[class]);
        if let Some(gives) = gives.find(|gives| *gives > exist) {
            let message = format!("this recipe gives {gives} of {name}, and there are {exist}");
            return Err(Fault::new(one.span.clone(), message, "cannot be produced"));
        }
    }
    Ok(())
}

/// Whether a stack on its way to this recipe always transforms into something else first.
fn preempted(index: usize, one: &Printed, printed: &[Printed]) -> bool {
    let Printed { top, recipe, .. } = one;
    let fires = |have: &Counts| {
        let mut others = printed.iter().enumerate();
        others.any(|(other, rule)| {
            let transforms = rule.recipe.effect == Effect::Transform && rule.top == *top;
            other != index && transforms && holds(have, &rule.recipe.need)
        })
    };
    match recipe.effect {
        Effect::Produce => fires(&recipe.need),
        // Cards come one at a time: there must be a last one before which nothing fires.
        Effect::Transform => (0..CLASSES).all(|last| {
            let mut before = recipe.need;
            let under = before[last] - u8::from(last == recipe.top);
            before[last] = before[last].saturating_sub(1);
            under == 0 || fires(&before)
        }),
    }
}

pub fn holds(have: &Counts, need: &Counts) -> bool {
    have.iter().zip(need).all(|(have, need)| have >= need)
}

/// The worth of each class, at least one unit for every obtainable class. Cards that a recipe both
/// needs and gives cancel; the rest of its needs is divided equally among its products. A
/// production only sets the worth of classes that no transformation of known classes gives.
pub fn worths(printed: &[Printed]) -> [i32; CLASSES] {
    let mut worth = [f64::INFINITY; CLASSES];
    worth[ORE] = 1.0;
    // Each pass finds the worth of at least one more class, if any can be found.
    for _ in 0..CLASSES {
        for _ in 0..CLASSES {
            cheapen(&mut worth, printed, Effect::Transform);
        }
        cheapen(&mut worth, printed, Effect::Produce);
    }
    worth.map(|ore| {
        if ore.is_finite() {
            (ore.min(1000.0) * f64::from(WORTH_UNITS)).round().max(1.0) as i32
        } else {
            0
        }
    })
}

/// Lowers worths to the cost by recipes of one effect.
fn cheapen(worth: &mut [f64; CLASSES], printed: &[Printed], effect: Effect) {
    let rest = |have: &Counts, less: &Counts, class: usize| {
        f64::from(have[class].saturating_sub(less[class]))
    };
    for Printed { recipe, .. } in printed.iter().filter(|one| one.recipe.effect == effect) {
        for gives in &recipe.gives {
            let (mut used, mut given) = (0.0, 0.0);
            for class in 0..CLASSES {
                let copies = rest(&recipe.need, gives, class);
                if copies > 0.0 {
                    used += copies * worth[class];
                }
                given += rest(gives, &recipe.need, class);
            }
            for class in (1..CLASSES).filter(|&class| gives[class] > recipe.need[class]) {
                let known = effect == Effect::Produce && worth[class].is_finite();
                if !known {
                    worth[class] = worth[class].min(used / given);
                }
            }
        }
    }
}
