//! A JSON document that keeps repeated members, and reports faults as values.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    self, Deserialize, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess,
};
use serde::de::{Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// A JSON document.
#[derive(Clone, Debug)]
pub(super) enum Document {
    /// Null, a boolean or a number.
    Scalar(Value),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Document>),
    /// An object: its members in their order, repeated ones too.
    Object(Vec<(String, Document)>),
}

impl From<Value> for Document {
    fn from(value: Value) -> Self {
        match value {
            Value::String(text) => Self::String(text),
            Value::Array(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
            scalar => Self::Scalar(scalar),
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Document;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::Scalar(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Document, E> {
        Ok(Document::Scalar(value.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Document, E> {
        Ok(Document::Scalar(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Document, E> {
        Ok(Document::Scalar(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Document, E> {
        Ok(Document::Scalar(number.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Document, E> {
        Ok(Document::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Document, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Document::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Document, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Document::Object(object))
    }
}

/// Why a document is not what a type expects.
#[derive(Debug)]
pub(super) enum Fault {
    /// A field stands twice.
    Repeated(&'static str),
    /// A field is not known.
    Unknown { name: String, allowed: &'static [&'static str] },
    /// A value is of the wrong type or out of range.
    Wrong { expected: String, got: String },
    /// Another reason.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        Self::Other(reason.to_string())
    }

    fn invalid_type(got: Unexpected, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string() {
            sequence if sequence == "a sequence" => "an array".to_owned(),
            other => other,
        };
        Self::Wrong { expected, got: json_words(got) }
    }

    fn invalid_value(got: Unexpected, expected: &dyn Expected) -> Self {
        Self::invalid_type(got, expected)
    }

    fn unknown_field(name: &str, allowed: &'static [&'static str]) -> Self {
        Self::Unknown { name: name.to_owned(), allowed }
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Repeated(name)
    }
}

/// What a request has, in the words of JSON.
fn json_words(got: Unexpected) -> String {
    match got {
        Unexpected::Map => "an object".to_owned(),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Unit => "null".to_owned(),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Float(number) => Value::from(number).to_string(),
        Unexpected::Str(text) => format!("the string {text:?}"),
        other => other.to_string(),
    }
}

impl<'de> Deserializer<'de> for Document {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Scalar(Value::Bool(value)) => visitor.visit_bool(value),
            Self::Scalar(Value::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Self::Scalar(_) => visitor.visit_unit(),
            Self::String(text) => visitor.visit_string(text),
            Self::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Self::Object(members) => visitor.visit_map(MapDeserializer::new(members.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Scalar(Value::Null) => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Fault> for Document {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
