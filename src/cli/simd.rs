//! The option for the level of vector instructions.

use super::error::{CliError, usage};
use fearless_simd::Level;

/// A level of vector instructions.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum SimdLevel {
    /// The best level this machine supports
    Auto,
    Avx512,
    Avx2,
    /// The level every x86-64 processor supports
    Sse2,
}

impl SimdLevel {
    /// The instructions to use, if this machine has them.
    pub fn level(self) -> Result<Level, CliError> {
        let best = Level::new();
        let wanted = match self {
            SimdLevel::Auto => Some(best),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => best.as_avx512().map(Level::Avx512),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => best.as_avx2().map(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Sse2 => best.as_sse2().map(Level::Sse2),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        };
        let Some(level) = wanted else {
            usage!(
                "--simd: this machine does not have these instructions; its best level is {}",
                level_name(best)
            );
        };
        Ok(level)
    }
}

fn level_name(level: Level) -> &'static str {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => "avx512",
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => "avx2",
        // SSE4.2 has no code of its own (`.cargo/config.toml`).
        #[cfg(target_arch = "x86_64")]
        Level::Sse4_2(_) | Level::Sse2(_) => "sse2",
        _ => "native",
    }
}
