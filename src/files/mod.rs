//! Results as files: tables by way of Polars, workbooks, rows of games, and the folder that holds
//! them.

mod collect;
mod decisions;
mod encode;
mod kept;
mod raw;
mod store;
mod workbook;

pub use collect::{collect, is_collected};
pub use decisions::{Decisions, decision_columns};
pub use encode::{EncodeError, Format, Row, encode, read_csv};
pub use kept::{KEPT, keep, recall};
pub use raw::{DECISIONS, Form, GAMES, RawGames, join_rows, scratch};
pub use store::{
    Before, JOURNAL, Journal, Output, OwnShard, Prepared, Shards, StoreError, UNFINISHED,
    write_whole,
};
pub use workbook::{WORKBOOK, workbook};
