//! What an update changes in a job's description, and what must be recomputed.

use crate::rpc::request::{JobUpdate, TextField};
use crate::state::desc::JobDesc;

impl JobUpdate {
    /// Whether it changes the number of nodes of a running job.
    pub(crate) const fn resizes(&self) -> bool {
        self.min_nodes.is_some() || self.required.is_some()
    }

    /// Whether it changes something that a running job must keep, as recorded from 22.05 for every key.
    pub(crate) fn only_pending(&self) -> bool {
        const TEXTS: &[TextField] = &[
            TextField::Stdin,
            TextField::Stdout,
            TextField::Stderr,
            TextField::Wckey,
            TextField::Prefer,
            TextField::WorkDir,
        ];
        let without_switches = Self { switches: None, switch_wait: None, ..self.clone() };
        self.partition.is_some()
            || self.account.is_some()
            || self.min_nodes.is_some()
            || self.min_cpus.is_some()
            || self.ntasks.is_some()
            || self.dependency.is_some()
            || self.begin.is_some()
            || self.mem_per_node.is_some()
            || self.mem_per_cpu.is_some()
            || self.qos.is_some()
            || self.thread_spec.is_some()
            || self.reset_accrue
            || self.texts.iter().any(|t| TEXTS.contains(&t.0))
            || without_switches.changes_needs()
    }

    /// Whether it changes anything that the needs are derived from.
    pub(crate) fn changes_needs(&self) -> bool {
        self.features.is_some()
            || self.required.is_some()
            || self.excluded.is_some()
            || self.licenses.is_some()
            || self.gres.is_some()
            || self.contiguous.is_some()
            || self.oversubscribe.is_some()
            || self.cpus_per_task.is_some()
            || self.tasks_per_node.is_some()
            || self.min_cpus_node.is_some()
            || self.tmp_disk.is_some()
            || self.core_spec.is_some()
            || self.gpus.is_some()
            || self.sockets.is_some()
            || self.cores.is_some()
            || self.threads.is_some()
            || self.switches.is_some()
            || self.switch_wait.is_some()
    }
}

/// A job description with an update applied.
pub(crate) fn changed_desc(desc: &JobDesc, change: &JobUpdate) -> JobDesc {
    let mut new = desc.clone();
    let set = |to: &mut Option<String>, text: &Option<String>| {
        if let Some(text) = text {
            *to = Some(text.clone()).filter(|t| !t.is_empty());
        }
    };
    set(&mut new.constraint, &change.features);
    set(&mut new.nodelist, &change.required);
    set(&mut new.exclude, &change.excluded);
    set(&mut new.licenses, &change.licenses);
    set(&mut new.qos, &change.qos);
    set(&mut new.account, &change.account);
    if let Some(gres) = &change.gres {
        (new.gres, new.gpus_per_node) = (gres.clone(), Vec::new());
        new.gres_texts.node.clone_from(&change.gres_texts.node);
    }
    new.contiguous = change.contiguous.unwrap_or(new.contiguous);
    new.oversubscribe = change.oversubscribe.unwrap_or(new.oversubscribe);
    new.reboot = change.reboot.unwrap_or(new.reboot);
    new.cpus_per_task = change.cpus_per_task.or(new.cpus_per_task);
    new.ntasks_per_node = change.tasks_per_node.or(new.ntasks_per_node);
    new.min_cpus_per_node = change.min_cpus_node.or(new.min_cpus_per_node);
    new.tmp_disk = change.tmp_disk.or(new.tmp_disk);
    new.core_spec = change.core_spec.or(new.core_spec);
    if let Some(gpus) = &change.gpus {
        new.gpus.clone_from(gpus);
        new.gres_texts.job.clone_from(&change.gres_texts.job);
    }
    if change.gres_texts.task.is_some() {
        new.gres_texts.task.clone_from(&change.gres_texts.task);
    }
    new.sockets_per_node = change.sockets.or(new.sockets_per_node);
    new.cores_per_socket = change.cores.or(new.cores_per_socket);
    new.threads_per_core = change.threads.or(new.threads_per_core);
    new.extras.thread_spec = change.thread_spec.or(new.extras.thread_spec);
    new.extras.delay_boot = change.delay_boot.unwrap_or(new.extras.delay_boot);
    let waits = |wait: Option<u32>| wait.or(desc.switches.and_then(|(_, before)| before));
    let wanted = change.switches.map(|(most, wait)| (most, waits(wait)));
    new.switches = wanted.or(new.switches).filter(|(most, _)| *most > 0);
    if let (Some(wait), Some((most, _))) = (change.switch_wait, new.switches) {
        new.switches = Some((most, Some(wait)));
    }
    new.deadline = change.deadline.or(new.deadline);
    new.time_min = change.time_min.or(new.time_min);
    if change.min_nodes.is_some() {
        (new.min_nodes, new.max_nodes) = (change.min_nodes, change.max_nodes);
    }
    for (field, text) in &change.texts {
        if *field == TextField::WorkDir {
            new.work_dir.clone_from(text);
        }
        let text = Some(text.clone());
        match field {
            TextField::Comment => new.comment = text,
            TextField::AdminComment => new.admin_comment = text,
            TextField::Extra => new.extras.extra = text,
            TextField::TresBind => new.extras.tres_bind = text,
            TextField::TresFreq => new.extras.tres_freq = text,
            TextField::MailType => new.mail_type = text,
            TextField::MailUser => new.mail_user = text,
            TextField::Stdin => new.stdin = text,
            TextField::Stdout => new.stdout = text,
            TextField::Stderr => new.stderr = text,
            TextField::Wckey => new.wckey = text,
            TextField::Prefer => new.prefer = text,
            TextField::WorkDir => {}
        }
    }
    new
}
