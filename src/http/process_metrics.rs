//! Metrics of the process, read from `/proc` when they are asked for.

use std::fmt;
use std::fs;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

use crate::telemetry;

/// Ticks a second: the unit of times in `/proc`, on every processor.
const TICKS: f64 = 100.0;

/// The metrics that Prometheus expects of every process, absent where there is no `/proc`, and the number of lost log
/// lines.
#[derive(Debug)]
pub(super) struct ProcessMetrics;

impl Collector for ProcessMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let mut show = |name, help, unit: Option<&Unit>, metric: &dyn EncodeMetric| {
            metric.encode(encoder.encode_descriptor(name, help, unit, metric.metric_type())?)
        };
        let lost = ConstCounter::new(telemetry::lost_lines() as u64);
        let help = "Log lines that could not be written, or waited in too large a number";
        show("bestmove_log_lines_lost", help, None, &lost)?;
        let seconds = Some(&Unit::Seconds);
        if let Some((cpu, start)) = times() {
            show("process_cpu", "Time on processors", seconds, &ConstCounter::new(cpu))?;
            show("process_start_time", "Start, since 1970", seconds, &ConstGauge::new(start))?;
        }
        if let Some(resident) = resident_bytes() {
            let memory = ConstGauge::new(resident);
            show("process_resident_memory", "Memory in use", Some(&Unit::Bytes), &memory)?;
        }
        if let Ok(open) = fs::read_dir("/proc/self/fd") {
            // One descriptor reads the list itself.
            let open =
                ConstGauge::new(i64::try_from(open.count()).unwrap_or(i64::MAX).saturating_sub(1));
            show("process_open_fds", "Files and connections", None, &open)?;
        }
        Ok(())
    }
}

/// Seconds of processor time, and the start in seconds since 1970.
fn times() -> Option<(f64, f64)> {
    let line = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program comes first, in parentheses, and may hold any character.
    let fields: Vec<&str> = line.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    let system = fs::read_to_string("/proc/stat").ok()?;
    let boot: f64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.parse().ok()?;
    Some(((ticks(11)? + ticks(12)?) / TICKS, boot + ticks(19)? / TICKS))
}

fn resident_bytes() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: i64 = size.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}
