//! stub
use super::canvas::Canvas;
use super::{Chart, ChartError};
pub struct Matrix {
    pub title: String, pub subtitle: String,
    pub row_axis: String, pub column_axis: String,
    pub rows: Vec<String>, pub columns: Vec<String>,
    pub unit: String,
    pub share: bool,
    pub cells: Vec<Option<MatrixCell>>,
    pub middle: Option<f64>,
}
pub struct MatrixCell { pub value: f64, pub mark: Mark }
pub enum Mark { None, Tied, Best }
impl Chart for Matrix { fn canvas(&self) -> Result<Canvas, ChartError> { Ok(super::theme::page("a","b",100.0).0) } }
