//! A question as a line of JSON, in which no key is there twice, and what is known of it before it
//! is answered.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};
use std::fmt;
use std::time::Duration;

pub type Fields = Map<String, Value>;

/// The fields of a question without its `id`, which is as it was written: numbers of any size come
/// back unchanged.
#[derive(Default)]
pub struct Question<'a> {
    pub id: &'a str,
    pub fields: Fields,
}

impl<'de> Deserialize<'de> for Question<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Question<'de>, D::Error> {
        struct Fill;

        impl<'de> Visitor<'de> for Fill {
            type Value = Question<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Question<'de>, A::Error> {
                let (mut id, mut fields) = (None, Fields::new());
                while let Some(key) = map.next_key::<String>()? {
                    let is_new = match key.as_str() {
                        "id" => id.replace(map.next_value::<&RawValue>()?).is_none(),
                        _ => fields
                            .insert(key.clone(), map.next_value_seed(Once)?)
                            .is_none(),
                    };
                    check_new(&key, is_new)?;
                }
                let id = id.map_or("null", RawValue::get);
                Ok(Question { id, fields })
            }
        }

        from.deserialize_map(Fill)
    }
}

/// How long an answer takes: at once, as long as playouts on one thread, or as long as games on
/// all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Work {
    Quick,
    Advice,
    Study,
}

/// What a question says about how to answer it. Of a faulty one the answer tells the fault.
pub struct Head {
    /// As it was written.
    pub id: String,
    pub client: String,
    pub work: Work,
    pub time: Option<Duration>,
    /// The `id` of the question that it ends.
    pub cancels: Option<String>,
}

impl Head {
    pub fn of(line: &str) -> Head {
        let read = serde_json::from_str(line.trim_start_matches('\u{feff}'));
        let Question { id, fields } = read.unwrap_or_default();
        let ask = fields.get("ask").and_then(Value::as_str);
        let client = fields.get("client").and_then(Value::as_str);
        let seconds = fields.get("seconds").and_then(Value::as_f64);
        let is_cancel = ask == Some("cancel") && fields.len() == 2;
        let of = fields.get("of").filter(|_| is_cancel);
        Head {
            id: id.to_string(),
            client: client.unwrap_or_default().to_string(),
            work: match ask {
                Some("advise") => Work::Advice,
                Some("simulate" | "sweep" | "files" | "review") => Work::Study,
                _ => Work::Quick,
            },
            time: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            cancels: of.map(Value::to_string),
        }
    }
}

fn check_new<E: de::Error>(key: &str, is_new: bool) -> Result<(), E> {
    if is_new {
        return Ok(());
    }
    Err(E::custom(format!("`{key}` is there twice")))
}

/// Reads a value, and refuses objects with the same key twice.
struct Once;

impl<'de> DeserializeSeed<'de> for Once {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number
            .map(Value::Number)
            .ok_or_else(|| E::custom("not a number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = values.next_element_seed(Once)? {
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Fields::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(Once)?;
            check_new(&key, fields.insert(key.clone(), value).is_none())?;
        }
        Ok(Value::Object(fields))
    }
}
