//! stub
#![allow(missing_docs)]
pub struct SymmetricGame { pub payoffs: Vec<Vec<Term>> }
pub struct Term { pub field: Vec<(usize, u32)>, pub weight: f64, pub payoff: f64 }
pub struct Equilibrium { pub mix: Vec<f64>, pub exploitability: f64 }
pub fn solve(game: &SymmetricGame) -> Equilibrium { Equilibrium{ mix: vec![1.0/game.payoffs.len() as f64; game.payoffs.len()], exploitability: 0.0} }
pub fn dominator(_payoffs: &[Vec<f64>], _strategy: usize) -> Option<(Vec<f64>, f64)> { None }
