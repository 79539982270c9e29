//! The tables of a bot's file.
//!
//! ```toml
//! [tables.nerve]
//! axes = [[1, 2, 3, 4]]
//! values = [30, 20, 14, "calm", 5]
//! ```
//!
//! A value is a number, or the name of a parameter. In a small table every number is a parameter
//! itself, called by its place: `nerve.1` is 30, and in a table of two axes `nerve.1.2` is the second
//! value of the first list. Large tables may be packed, one byte a cell:
//! `values = { packed = "…", scale = [0, 1] }`.

use std::ops::Range;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode::Indifferent;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::{Key, in_file_order, number, unknown_key, wrong_type};
use crate::diagnostic::{counted, nearest};
use crate::formula::{
    AXES_MAX, CELLS_MAX, Cell, Cells, EDGES_MAX, FUNCTIONS, Fault, Table, Vocabulary, is_name,
};

/// Most cells of a table whose numbers are parameters.
const NAMED_MAX: usize = 64;

/// Most tables of a bot.
const TABLES_MAX: usize = 64;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(Indifferent),
);

/// The tables of a file.
pub(super) struct Tables<'i> {
    /// In the order of the file.
    pub tables: Vec<Table>,
    /// Their names' places.
    pub keys: Vec<Key<'i>>,
    /// The parameters that small tables are made of; they come after those of the file.
    pub params: Vec<(String, f32)>,
}

/// Reads the tables of a file that has these parameters.
pub(super) fn read<'i>(
    document: &DeTable<'i>,
    params: &[(Key<'i>, f32)],
    vocabulary: &Vocabulary,
) -> Result<Tables<'i>, Fault> {
    let mut read = Tables {
        tables: Vec::new(),
        keys: Vec::new(),
        params: Vec::new(),
    };
    let Some(value) = document.get("tables") else {
        return Ok(read);
    };
    let tables = table_of("tables", value)?;
    for (key, value) in in_file_order(tables) {
        let name = key.get_ref();
        let is_param = params.iter().any(|(param, _)| param.get_ref() == name);
        let label = if vocabulary.find(name).is_some() {
            "the name of a feature"
        } else if is_param {
            "the name of a parameter"
        } else if FUNCTIONS.contains(&name.as_ref()) {
            "the name of a function"
        } else if !is_name(name) {
            "needs letters, digits and `_`, and must not be a word of the language"
        } else if read.tables.len() == TABLES_MAX {
            let message = format!("more than {TABLES_MAX} tables");
            return Err(Fault::new(key.span(), message, "one too many"));
        } else {
            let reader = Reader { name, params };
            let table = reader.table(key, value, &mut read.params)?;
            read.tables.push(table);
            read.keys.push(key.clone());
            continue;
        };
        let message = format!("`{name}` cannot name a table");
        return Err(Fault::new(key.span(), message, label));
    }
    Ok(read)
}

/// Reads one table.
struct Reader<'a, 'i> {
    name: &'a str,
    params: &'a [(Key<'i>, f32)],
}

impl Reader<'_, '_> {
    fn table(
        &self,
        key: &Key,
        value: &Spanned<DeValue>,
        named: &mut Vec<(String, f32)>,
    ) -> Result<Table, Fault> {
        let fields = table_of(self.name, value)?;
        let keys = ["axes", "values"];
        for (key, _) in in_file_order(fields) {
            unknown_key(key, &keys, "a table")?;
        }
        let field = |field: &str| {
            fields.get(field).ok_or_else(|| Fault {
                span: key.span(),
                message: format!("`{field}` of table `{}` is missing", self.name),
                label: "in this table".to_owned(),
                help: Some("a table has `axes = [[1, 2]]` and `values = [30, 20, 10]`".to_owned()),
            })
        };
        let axes_value = field("axes")?;
        let axes = self.axes(axes_value)?;
        let sizes: Vec<usize> = axes.iter().map(|edges| edges.len() + 1).collect();
        let cells = sizes.iter().try_fold(1, |cells: usize, size| {
            cells.checked_mul(*size).filter(|cells| *cells <= CELLS_MAX)
        });
        let Some(cells) = cells else {
            return Err(Fault {
                help: Some("leave edges out".to_owned()),
                ..self.fault(
                    axes_value.span(),
                    format!("at most {CELLS_MAX} cells"),
                    "too many edges",
                )
            });
        };
        let values = field("values")?;
        let cells = match values.get_ref() {
            DeValue::Table(packed) => self.packed(packed, values.span(), cells)?,
            _ => {
                let mut written = Written {
                    reader: self,
                    sizes: &sizes,
                    small: cells <= NAMED_MAX,
                    place: Vec::new(),
                    cells: Vec::new(),
                    named,
                };
                written.read(values)?;
                Cells::written(written.cells)
            }
        };
        Ok(Table {
            name: self.name.to_owned(),
            axes,
            cells,
        })
    }

    fn fault(&self, span: Range<usize>, what: String, label: impl Into<String>) -> Fault {
        Fault::new(span, format!("table `{}`: {what}", self.name), label)
    }

    fn axes(&self, value: &Spanned<DeValue>) -> Result<Vec<Vec<f32>>, Fault> {
        let help = || Some("write `axes = [[1, 2, 4]]` for one axis with 3 edges".to_owned());
        let DeValue::Array(axes) = value.get_ref() else {
            let fault = wrong_type(
                value.span(),
                "axes",
                "a list of lists of numbers",
                value.get_ref(),
            );
            return Err(Fault {
                help: help(),
                ..fault
            });
        };
        if !(1..=AXES_MAX).contains(&axes.len()) {
            let what = format!("1 to {AXES_MAX} axes are possible");
            let label = format!("{} given", axes.len());
            return Err(Fault {
                help: help(),
                ..self.fault(value.span(), what, label)
            });
        }
        let mut read = Vec::new();
        for axis in axes.iter() {
            let DeValue::Array(edges) = axis.get_ref() else {
                let fault = wrong_type(
                    axis.span(),
                    "axes",
                    "a list of lists of numbers",
                    axis.get_ref(),
                );
                return Err(Fault {
                    help: help(),
                    ..fault
                });
            };
            if !(1..=EDGES_MAX).contains(&edges.len()) {
                let what = format!("an axis has 1 to {EDGES_MAX} edges");
                return Err(self.fault(axis.span(), what, format!("{} given", edges.len())));
            }
            let mut numbers: Vec<f32> = Vec::new();
            for edge in edges.iter() {
                let number = number(edge, "an edge")?;
                if let Some(before) = numbers.last()
                    && *before >= number
                {
                    let label = format!("must be above {before}, the edge before it");
                    return Err(self.fault(edge.span(), "edges must rise".to_owned(), label));
                }
                numbers.push(number);
            }
            read.push(numbers);
        }
        Ok(read)
    }

    /// Cells of one byte each, in base64.
    fn packed(&self, fields: &DeTable, span: Range<usize>, count: usize) -> Result<Cells, Fault> {
        for (key, _) in in_file_order(fields) {
            unknown_key(key, &["packed", "scale"], "packed values")?;
        }
        let missing = |field: &str, form: &str| Fault {
            help: Some(format!(
                "write `values = {{ packed = \"…\", scale = [0, 1] }}`"
            )),
            ..self.fault(
                span.start..span.start + 1,
                format!("`{field}` of its values is missing"),
                form,
            )
        };
        let scale = fields
            .get("scale")
            .ok_or_else(|| missing("scale", "values start here"))?;
        let (low, high) = match scale.get_ref() {
            DeValue::Array(ends) if ends.len() == 2 => {
                let end = |end: &Spanned<DeValue>| number(end, "an end of the scale");
                (end(&ends[0])?, end(&ends[1])?)
            }
            other => {
                return Err(wrong_type(
                    scale.span(),
                    "scale",
                    "two numbers, `[low, high]`",
                    other,
                ));
            }
        };
        if low >= high {
            let label = "write the lower end first";
            return Err(self.fault(scale.span(), "its scale must rise".to_owned(), label));
        }
        let packed = fields
            .get("packed")
            .ok_or_else(|| missing("packed", "values start here"))?;
        let DeValue::String(text) = packed.get_ref() else {
            return Err(wrong_type(
                packed.span(),
                "packed",
                "text in quotes",
                packed.get_ref(),
            ));
        };
        let text: Vec<u8> = text
            .bytes()
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        // The text may be very long; its start is shown.
        let start = packed.span().start..packed.span().start + 1;
        let bytes = BASE64.decode(&text).map_err(|error| {
            self.fault(
                start.clone(),
                format!("its packed values are not base64 ({error})"),
                "starts here",
            )
        })?;
        if bytes.len() != count {
            let label = format!("{} packed", counted(bytes.len(), "cell"));
            let what = format!("its axes ask for {}", counted(count, "cell"));
            return Err(self.fault(start, what, label));
        }
        Ok(Cells::packed(bytes, low, high))
    }
}

/// Cells as they are read from nested lists.
struct Written<'a, 'i, 'n> {
    reader: &'a Reader<'a, 'i>,
    sizes: &'a [usize],
    /// Whether numbers become parameters.
    small: bool,
    /// Which value of each list is being read.
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
                let names = || {
                    reader
                        .params
                        .iter()
                        .map(|(param, _)| param.get_ref().as_ref())
                };
                let found = names().position(|param| param == name);
                found.map(Cell::Param).ok_or_else(|| Fault {
                    help: nearest(name, names()).map(|near| format!("did you mean `{near}`?")),
                    ..reader.fault(
                        value.span(),
                        format!("there is no parameter `{name}`"),
                        "neither a number nor the name of a parameter",
                    )
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

/// The table in `value`, which stands under `key`.
fn table_of<'a, 'i>(key: &str, value: &'a Spanned<DeValue<'i>>) -> Result<&'a DeTable<'i>, Fault> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        other => Err(wrong_type(value.span(), key, "a table", other)),
    }
}
