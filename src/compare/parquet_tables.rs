//! The tables of the CSV files as Parquet, for data frames: the same rows and columns, with types. Feature `parquet`.
//!
//! A file has one row group without compression. Text and counts are required columns; numbers are optional, because a row may
//! lack them. The same results give the same bytes.

use super::cell::CellResult;
use super::csv;
use super::difference::MetricDifference;
use super::plan::ComparePlan;
use super::statistics::Estimate;
use super::words::EN;
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// Both tables as files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as the files")]
pub struct ParquetTables {
    pub metrics: Vec<u8>,
    pub differences: Vec<u8>,
}

impl ParquetTables {
    /// Writes the tables of a report.
    ///
    /// # Errors
    /// The library reports one.
    pub(super) fn new(
        plan: &ComparePlan,
        results: &[CellResult],
        all: &[MetricDifference],
    ) -> Result<Self, String> {
        let metrics = file(&metrics(plan, results)).map_err(|e| e.to_string())?;
        let differences = file(&differences(plan, all)).map_err(|e| e.to_string())?;
        Ok(Self { metrics, differences })
    }
}

/// A column's values, one for each row.
enum ColumnValues {
    Text(Vec<ByteArray>),
    Count(Vec<i64>),
    /// A row may have none.
    Number(Vec<Option<f64>>),
}

type NamedColumn = (&'static str, ColumnValues);

fn text<'a>(name: &'static str, values: impl Iterator<Item = &'a str>) -> NamedColumn {
    (name, ColumnValues::Text(values.map(ByteArray::from).collect()))
}

fn count(name: &'static str, values: impl Iterator<Item = u64>) -> NamedColumn {
    (name, ColumnValues::Count(values.map(|n| i64::try_from(n).unwrap_or(i64::MAX)).collect()))
}

fn number(name: &'static str, values: impl Iterator<Item = Option<f64>>) -> NamedColumn {
    (name, ColumnValues::Number(values.collect()))
}

fn metrics(plan: &ComparePlan, results: &[CellResult]) -> Vec<NamedColumn> {
    let rows =
        || results.iter().flat_map(|result| result.values.iter().map(move |value| (result.cell, value)));
    let names = |row: (super::cell::CellId, &_)| csv::names(plan, row.0.workload, row.0.policy);
    vec![
        text("workload", rows().map(|row| names(row).0)),
        text("policy", rows().map(|row| names(row).1)),
        count("resample", rows().map(|(cell, _)| cell.resample.into())),
        text("group_kind", rows().map(|(_, value)| value.group.kind.word())),
        text("group", rows().map(|(_, value)| value.group.name.as_str())),
        text("metric", rows().map(|(_, value)| value.metric.facts().key)),
        text("unit", rows().map(|(_, value)| value.metric.facts().unit)),
        number("value", rows().map(|(_, value)| Some(value.value))),
    ]
}

fn differences(plan: &ComparePlan, all: &[MetricDifference]) -> Vec<NamedColumn> {
    let baseline = u32::try_from(plan.baseline()).unwrap_or(0);
    let verdicts: Vec<String> = all.iter().map(|d| EN.verdict(d)).collect();
    let estimate = |name, of: fn(&MetricDifference) -> Option<Estimate>, part: fn(Estimate) -> f64| {
        number(name, all.iter().map(move |d| of(d).map(part)))
    };
    let (absolute, relative) = (|d: &MetricDifference| d.absolute, |d: &MetricDifference| d.relative);
    vec![
        text("workload", all.iter().map(|d| csv::names(plan, d.workload, d.policy).0)),
        text("policy", all.iter().map(|d| csv::names(plan, d.workload, d.policy).1)),
        text("baseline", all.iter().map(|d| csv::names(plan, d.workload, baseline).1)),
        text("group_kind", all.iter().map(|d| d.group.kind.word())),
        text("group", all.iter().map(|d| d.group.name.as_str())),
        text("metric", all.iter().map(|d| d.metric.facts().key)),
        text("unit", all.iter().map(|d| d.metric.facts().unit)),
        count("resamples", all.iter().map(|d| d.resamples as u64)),
        number("baseline_mean", all.iter().map(|d| Some(d.means.0))),
        number("policy_mean", all.iter().map(|d| Some(d.means.1))),
        estimate("difference", absolute, |e| e.value),
        estimate("low", absolute, |e| e.low),
        estimate("high", absolute, |e| e.high),
        estimate("relative", relative, |e| e.value),
        estimate("relative_low", relative, |e| e.low),
        estimate("relative_high", relative, |e| e.high),
        text("verdict", verdicts.iter().map(String::as_str)),
    ]
}

fn file(columns: &[NamedColumn]) -> Result<Vec<u8>, ParquetError> {
    let fields: Result<Vec<_>, _> = columns.iter().map(|column| field(column).map(Arc::new)).collect();
    let schema = Type::group_type_builder("table").with_fields(fields?).build()?;
    let created_by = concat!("sandbatch ", env!("CARGO_PKG_VERSION")).to_owned();
    let properties = WriterProperties::builder().set_created_by(created_by).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut rows = writer.next_row_group()?;
    for (_, values) in columns {
        write(&mut rows, values)?;
    }
    rows.close()?;
    writer.into_inner()
}

/// A column of the schema.
fn field((name, values): &NamedColumn) -> Result<Type, ParquetError> {
    let (kind, logical, repetition) = match values {
        ColumnValues::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        ColumnValues::Count(_) => (PhysicalType::INT64, None, Repetition::REQUIRED),
        ColumnValues::Number(_) => (PhysicalType::DOUBLE, None, Repetition::OPTIONAL),
    };
    Type::primitive_type_builder(name, kind).with_repetition(repetition).with_logical_type(logical).build()
}

fn write(
    rows: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &ColumnValues,
) -> Result<(), ParquetError> {
    let Some(mut column) = rows.next_column()? else { return Ok(()) };
    match values {
        ColumnValues::Text(all) => column.typed::<ByteArrayType>().write_batch(all, None, None)?,
        ColumnValues::Count(all) => column.typed::<Int64Type>().write_batch(all, None, None)?,
        ColumnValues::Number(all) => {
            let present: Vec<f64> = all.iter().copied().flatten().collect();
            let levels: Vec<i16> = all.iter().map(|value| i16::from(value.is_some())).collect();
            column.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?
        }
    };
    column.close()
}
