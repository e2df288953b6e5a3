//! Finished jobs: the newest records of slurmdbd, in sacct's texts.

use crate::session::frame::{People, queue};
use crate::world::World;
use commands::slurm::sacct;
use protocol::{AccountPicture, AccountRow};
use slurmdbd::JobRecord;

/// Maximum number of searched records.
const MAX_RECORDS: usize = 20_000;
/// Most rows in a frame.
const MAX_ROWS: usize = 100;
/// The columns of sacct that are shown.
const COLUMNS: [&str; 12] = [
    "JobID",
    "JobName",
    "User",
    "Account",
    "Partition",
    "State",
    "ExitCode",
    "AllocCPUS",
    "Start",
    "End",
    "Elapsed",
    "NodeList",
];

/// The records that contain every word of the filter.
pub fn picture(world: &World, filter: &str, people: &People) -> AccountPicture {
    let view = queue::view(world);
    let dbd = &world.ctld.dbd;
    let words: Vec<String> = filter.split_whitespace().take(8).map(str::to_ascii_lowercase).collect();
    let mut picture = AccountPicture {
        headings: COLUMNS.iter().map(|c| (*c).to_owned()).collect(),
        cut: dbd.jobs.len() > MAX_RECORDS as u64,
        ..AccountPicture::default()
    };
    let ended = dbd.jobs.values().rev().take(MAX_RECORDS).filter(|r| r.end.is_some());
    for record in ended.filter(|r| words.iter().all(|word| has(r, word))) {
        picture.matched += 1;
        if picture.rows.len() < MAX_ROWS {
            let uid = world.kernel.users.by_name(&record.user).map(|u| u.uid);
            picture.rows.push(AccountRow {
                job: record.job.0,
                user_index: uid.map_or(u32::MAX, |uid| queue::index(people, uid)),
                code: record.state.compact().to_owned(),
                cells: sacct::cells(&view, record, &COLUMNS),
            });
        }
    }
    picture
}

/// Whether a word occurs in one of the searched fields.
fn has(record: &JobRecord, word: &str) -> bool {
    let id = record.array.map_or(record.job, |(array, _)| array).to_string();
    let texts = [
        record.user.as_str(),
        &record.name,
        &record.account,
        &record.partition,
        &record.qos,
        &record.nodes,
        record.state.long(),
        record.state.compact(),
    ];
    id == word || texts.iter().any(|text| text.to_ascii_lowercase().contains(word))
}
