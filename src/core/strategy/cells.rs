//! The cells of a table: numbers and names in nested lists, or bytes in base64, raw or compressed
//! with zlib.

use std::io::Write;
use std::ops::Range;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode::Indifferent;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use flate2::write::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::{check_keys, number, wrong_type};
use super::tables::TableReader;
use crate::diagnostic::{counted, did_you_mean};
use crate::formula::{CELLS_MAX, Cell, Cells, Fault};

/// Most cells of a table that has its numbers as parameters.
const NAMED_MAX: usize = 64;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(Indifferent),
);

impl TableReader<'_, '_> {
    /// The cells of a table, given the number on each axis; numbers that become parameters are
    /// added to `named`.
    pub fn cells(
        &self,
        values: &Spanned<DeValue>,
        sizes: &[usize],
        named: &mut Vec<(String, f32)>,
    ) -> Result<Cells, Fault> {
        let count = sizes.iter().product();
        if let DeValue::Table(packed) = values.get_ref() {
            return self.packed(packed, values.span(), count);
        }
        let mut written = Written {
            reader: self,
            sizes,
            small: count <= NAMED_MAX,
            place: Vec::new(),
            cells: Vec::new(),
            named,
        };
        written.read(values)?;
        Ok(Cells::written(written.cells))
    }

    /// Cells of one byte each, in base64.
    fn packed(&self, fields: &DeTable, span: Range<usize>, count: usize) -> Result<Cells, Fault> {
        check_keys(fields, &["packed", "zlib", "scale"], "packed values")?;
        let here = |what: String| self.fault(span.start..span.start + 1, what, "values start here");
        let missing = |field: &str| {
            let fault = here(format!("`{field}` of its values is missing"));
            fault.with_help("write `values = { packed = \"…\", scale = [0, 1] }`".to_string())
        };
        let scale = fields.get("scale").ok_or_else(|| missing("scale"))?;
        let ends = match scale.get_ref() {
            DeValue::Array(ends) if ends.len() == 2 => ends,
            _ => return Err(wrong_type(scale, "`scale`", "two numbers, `[low, high]`")),
        };
        let end = |end: usize| number(&ends[end], "an end of the scale");
        let (low, high) = (end(0)?, end(1)?);
        if low >= high {
            let label = "write the lower end first";
            return Err(self.fault(scale.span(), "its scale must rise".to_owned(), label));
        }
        let (key, packed) = match (fields.get("packed"), fields.get("zlib")) {
            (Some(packed), None) => ("packed", packed),
            (None, Some(packed)) => ("zlib", packed),
            (None, None) => return Err(missing("packed")),
            (Some(_), Some(_)) => return Err(here("either `packed` or `zlib`, not both".into())),
        };
        let DeValue::String(text) = packed.get_ref() else {
            return Err(wrong_type(packed, &format!("`{key}`"), "text in quotes"));
        };
        let text = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
        // The text may be very long, so only its start is shown.
        let start = packed.span().start..packed.span().start + 1;
        let bytes = BASE64.decode(text.collect::<Vec<u8>>()).map_err(|error| {
            let what = format!("its packed values are not base64 ({error})");
            self.fault(start.clone(), what, "starts here")
        })?;
        let bytes = match (key, decompressed(&bytes)) {
            ("zlib", None) => {
                let what = "its values are not compressed by zlib, or are damaged".to_owned();
                return Err(self.fault(start, what, "starts here"));
            }
            ("zlib", Some(cells)) => cells,
            // Early files called compressed bytes `packed` as well.
            (_, Some(cells)) if bytes.len() != count => cells,
            (_, Some(cells)) if cells.len() == count => {
                let what = "its values can be read both compressed and raw".to_owned();
                let fault = self.fault(start, what, "starts here");
                let help = "write `zlib` for `packed` if they are compressed, as in a file that \
                            `carat solve` wrote; or else write them out as a list";
                return Err(fault.with_help(help.to_owned()));
            }
            _ => bytes,
        };
        if bytes.len() != count {
            let label = if bytes.len() > CELLS_MAX {
                "more cells packed".to_owned()
            } else {
                format!("{} packed", counted(bytes.len(), "cell"))
            };
            let what = format!("its axes ask for {}", counted(count, "cell"));
            return Err(self.fault(start, what, label));
        }
        Ok(Cells::packed(bytes, low, high))
    }
}

/// Compresses bytes, in base64.
pub fn compressed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    BASE64.encode(written.expect("memory takes all"))
}

/// The inverse of [`compressed`].
pub fn unpacked(text: &str) -> Option<Vec<u8>> {
    decompressed(&BASE64.decode(text).ok()?)
}

/// Decompresses bytes, up to the size of the largest table; `None` if they are not valid zlib data
/// or have trailing bytes.
fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(CELLS_MAX + 1);
    let mut decoder = Decompress::new(true);
    let all = FlushDecompress::Finish;
    let status = decoder.decompress_vec(bytes, &mut whole, all).ok()?;
    let ended = status == Status::StreamEnd && decoder.total_in() == bytes.len() as u64;
    whole.shrink_to_fit();
    (ended || whole.len() > CELLS_MAX).then_some(whole)
}

/// Cells as they are read from nested lists.
struct Written<'a, 'i, 'n> {
    reader: &'a TableReader<'a, 'i>,
    sizes: &'a [usize],
    /// Whether numbers become parameters.
    small: bool,
    /// Index of the current value in each list.
    place: Vec<usize>,
    cells: Vec<Cell>,
    named: &'n mut Vec<(String, f32)>,
}

impl Written<'_, '_, '_> {
    fn read(&mut self, value: &Spanned<DeValue>) -> Result<(), Fault> {
        let depth = self.place.len();
        let Some(&size) = self.sizes.get(depth) else {
            let cell = self.cell(value)?;
            self.cells.push(cell);
            return Ok(());
        };
        let edges = counted(size - 1, "edge");
        let axis = match self.sizes.len() {
            1 => format!("its axis has {edges}"),
            _ => format!("axis {} has {edges}", depth + 1),
        };
        let what = format!("{axis}, so {size} values belong here");
        let DeValue::Array(values) = value.get_ref() else {
            let label = format!("this is of type {}", value.get_ref().type_str());
            return Err(self.reader.fault(value.span(), what, label));
        };
        if values.len() != size {
            let label = format!("{} given", values.len());
            return Err(self.reader.fault(value.span(), what, label));
        }
        for (index, value) in values.iter().enumerate() {
            self.place.push(index + 1);
            self.read(value)?;
            self.place.pop();
        }
        Ok(())
    }

    fn cell(&mut self, value: &Spanned<DeValue>) -> Result<Cell, Fault> {
        let reader = self.reader;
        match value.get_ref() {
            DeValue::String(name) => {
                let params = reader.params.iter();
                let mut names = params.map(|(param, _)| param.get_ref().as_ref());
                let found = names.clone().position(|param| param == name);
                found.map(Cell::Param).ok_or_else(|| {
                    let what = format!("there is no parameter `{name}`");
                    let label = "neither a number nor the name of a parameter";
                    let fault = reader.fault(value.span(), what, label);
                    fault.with_help(did_you_mean(name, names.by_ref()))
                })
            }
            DeValue::Array(_) => {
                let axes = match self.sizes.len() {
                    1 => "it has one axis".to_owned(),
                    axes => format!("it has {axes} axes"),
                };
                let what = format!("{axes}, so a number belongs here");
                Err(reader.fault(value.span(), what, "one list too many"))
            }
            _ => {
                let number = number(value, "a value")?;
                if !self.small {
                    return Ok(Cell::Number(number));
                }
                let place = self.place.iter().map(|index| format!(".{index}"));
                let name = format!("{}{}", reader.name, place.collect::<String>());
                self.named.push((name, number));
                Ok(Cell::Param(reader.params.len() + self.named.len() - 1))
            }
        }
    }
}
