//! The table of the report's words: name, English, French. `{0}` stands for a part, and `|` separates singular and plural.

macro_rules! words {
    ($($name:ident: $en:literal, $fr:literal;)*) => {
        /// Every text of the report in one language.
        pub struct ReportWords {
            $(pub $name: &'static str,)*
            /// Words about metrics, in the order of `Metric::ALL`.
            pub metrics: &'static [MetricWords; 11],
        }

        /// English.
        pub const EN: ReportWords = ReportWords { $($name: $en,)* metrics: &METRICS_EN };

        /// French.
        pub const FR: ReportWords = ReportWords { $($name: $fr,)* metrics: &METRICS_FR };

        /// The texts side by side.
        #[cfg(test)]
        pub const PAIRS: &[(&str, &str)] = &[$(($en, $fr),)*];
    };
}

words! {
    code: "en", "fr";
    decimal: ".", ",";
    thousands: ",", "\u{202f}";
    percent: "%", "\u{202f}%";
    day: "d", "j";

    // Groups of jobs.
    all_jobs: "all jobs", "toutes les tâches";
    jobs_of_partition: "{0} jobs", "les tâches de {0}";
    jobs_of_account: "jobs of account {0}", "les tâches du compte {0}";
    jobs_of_qos: "jobs of QOS {0}", "les tâches de la QOS {0}";
    jobs_of_size: "jobs with {0}", "les tâches de {0}";
    // A size class has a lower and an upper bound.
    cpus: "{0} CPU|{0} CPUs", "{0} CPU|{0} CPU";
    cpus_between: "{0} to {1} CPUs", "{0} à {1} CPU";
    cpus_over: "over {0} CPUs", "plus de {0} CPU";

    // Verdicts.
    not_tested: "not tested: {0}, fewer than {1}", "non testé : {0}, il en faut au moins {1}";
    resamples: "{0} resample|{0} resamples", "{0} rééchantillonnage|{0} rééchantillonnages";
    the_same: "the same in every resample", "aucune différence dans aucun rééchantillonnage";
    no_difference: "no difference that {0} could show", "aucune différence visible en {0}";
    no_difference_within: "no difference that {0} could show (less than {1})",
        "aucune différence visible en {0} (moins de {1})";
    range: "{0} ({1} to {2})", "{0} ({1} à {2})";
    of_jobs: "{0} {1}", "{0} {1}";
    for_jobs: "for {0} {1}", "pour {0}, {1}";
    join: "; ", " ; ";
    about_policy: "{0}: {1}", "{0} : {1}";

    // The method.
    only_recorded: "The workload was replayed as recorded only. Without resamples nothing can be said about chance.",
        "La charge a été rejouée seulement telle qu’enregistrée. Sans rééchantillonnage, on ne peut rien dire du hasard.";
    method: "{0}, seed {1}: {2}. {3} {4}", "{0}, graine {1} : {2}. {3} {4}";
    other_seed: "background jobs of another seed", "activité des autres tirée d’une autre graine";
    drawn_users: "users drawn with replacement", "utilisateurs tirés avec remise";
    shifted_weeks: "each user’s jobs shifted by whole weeks", "tâches de chaque utilisateur décalées de semaines entières";
    jitter: "submissions shaken by up to {0} min", "soumissions décalées de {0} min au plus";
    nothing_changed: "nothing changed", "rien n’est modifié";
    paired: "All policies replay the same resamples.", "Toutes les politiques rejouent les mêmes rééchantillonnages.";
    unpaired: "Each policy has resamples of its own, so differences include the noise of both.",
        "Chaque politique a ses propres rééchantillonnages : les différences contiennent le bruit des deux.";
    no_feedback: "Users do not wait for results before they submit.",
        "Les utilisateurs soumettent sans attendre leurs résultats.";
    feedback: "Users wait for results: {0} job follows the end of another.|Users wait for results: {0} jobs follow the end of another.",
        "Les utilisateurs attendent leurs résultats : {0} tâche suit la fin d’une autre.|Les utilisateurs attendent leurs résultats : {0} tâches suivent la fin d’une autre.";
    counted_jobs: "{0} job|{0} jobs", "{0} tâche|{0} tâches";
    intervals: "{0} interval was computed. It is wrong in about 5% of cases.|{0} intervals were computed. Each is wrong in about 5% of cases: of {0}, about {1} exclude zero by chance where nothing differs.",
        "{0} intervalle a été calculé. Il est faux dans environ 5\u{202f}% des cas.|{0} intervalles ont été calculés. Chacun est faux dans environ 5\u{202f}% des cas : sur {0}, environ {1} excluent zéro par hasard alors que rien ne diffère.";

    // Headings and tables.
    title: "Comparison of policies", "Comparaison de politiques";
    policy: "policy", "politique";
    changes: "changes", "modifications";
    baseline: "baseline", "référence";
    without: "without {0}", "sans {0}";
    without_nodes: "without nodes {0}", "sans les nœuds {0}";
    notes: "Notes", "Remarques";
    difference: "difference", "différence";
    recorded: "As recorded", "Charge telle qu’enregistrée";
    recorded_column: "as recorded", "charge telle qu’enregistrée";
    by_group: "Mean wait by group", "Attente moyenne par groupe";
    more_groups: "and {0} more group in differences.csv|and {0} more groups in differences.csv",
        "et {0} autre groupe dans differences.csv|et {0} autres groupes dans differences.csv";
    users_longer: "Users who wait longer, as recorded", "Utilisateurs qui attendent plus longtemps, charge telle qu’enregistrée";
    users_less: "Users who wait less, as recorded", "Utilisateurs qui attendent moins longtemps, charge telle qu’enregistrée";
    nobody: "None.", "Aucun.";
    user: "user", "utilisateur";
    jobs: "jobs", "tâches";
    job: "job", "tâche";
    more: "and {0} more", "et {0} de plus";
    no_job: "no job’s wait changed by a minute or more, as recorded.",
        "aucune attente n’a changé d’une minute ou plus, charge telle qu’enregistrée.";
    differ_most: "Jobs whose waits differ most", "Tâches dont l’attente diffère le plus";
    colours: "Grey: baseline. Blue: policy. Dashes are waits.", "Gris : référence. Bleu : politique. Les tirets sont les attentes.";
    why_longer: "why it waited longer there", "pourquoi elle y a attendu plus longtemps";
    trace_line: "line {0}, {1}", "ligne {0}, {1}";
    under_policy: "Under the policy, at {0}: {1}", "Avec la politique, le {0} : {1}";
    under_baseline: "Under the baseline, at {0}: {1}", "Avec la référence, le {0} : {1}";
    not_known: "not known", "raison inconnue";
    array_limit: "At most {0} tasks of its array run at once.",
        "Pas plus de {0} éléments de son tableau de tâches s’exécutent à la fois.";

    // Not counted.
    left_out: "Not counted", "Ce qui n’est pas compté";
    lines_left_out: "{0} line of the trace cannot be replayed and is left out.|{0} lines of the trace cannot be replayed and are left out.",
        "{0} ligne de la trace ne peut pas être rejouée et n’est pas comptée.|{0} lignes de la trace ne peuvent pas être rejouées et ne sont pas comptées.";
    counts: "{0}: of {1} {2} were refused, {3} never started, {4} reached their time limit, {5} ended otherwise.",
        "{0} : sur {1}, refusées : {2} ; jamais démarrées : {3} ; arrêtées à leur durée maximale : {4} ; terminées autrement : {5}.";
    no_wait: "Jobs that never start have no wait and are in no mean.",
        "Les tâches qui ne démarrent jamais n’ont pas d’attente et n’entrent dans aucune moyenne.";
    slowdown_bound: "Bounded slowdown counts runs of less than {0} s as {0} s.",
        "Le ralentissement borné compte les exécutions de moins de {0} s pour {0} s.";

    // Pictures.
    waits_chart: "Part of the jobs by wait", "Part des tâches selon l’attente";
    waits_text: "{0}: {1} of the jobs wait less than a minute.", "{0} : {1} des tâches attendent moins d’une minute.";
    use_chart: "CPUs in use over time", "CPU utilisés au fil du temps";
    use_text: "Single jobs as recorded; earlier runs of requeued jobs are left out.",
        "Tâches de la charge telle qu’enregistrée, sans les exécutions qu’une remise en file a interrompues.";
    day_mark: "day {0}", "jour {0}";
    by_group_text: "Each row: the estimate and its 95% interval. Rows in grey include zero.",
        "Chaque ligne : l’estimation et son intervalle à 95\u{202f}%. Les lignes grises contiennent zéro.";
    differ_most_text: "Each job has two rows: the baseline above, the policy below. Dashes are waits, bars are runs.",
        "Chaque tâche a deux lignes : la référence en haut, la politique en bas. Les tirets sont les attentes, les barres les exécutions.";
    job_row: "job {0} · {1}", "tâche {0} · {1}";
}

/// The words about a metric. `{0}` is the size of a difference.
pub struct MetricWords {
    /// The name in tables.
    pub name: &'static str,
    /// The unit after a value, unless the value is a time or a percentage.
    pub unit: &'static str,
    /// For a larger value, in a sentence.
    pub more: &'static str,
    /// For a smaller value.
    pub less: &'static str,
}

const fn metric(
    name: &'static str,
    unit: &'static str,
    more: &'static str,
    less: &'static str,
) -> MetricWords {
    MetricWords { name, unit, more, less }
}

/// English.
pub const METRICS_EN: [MetricWords; 11] = [
    metric("mean wait", "", "wait {0} longer", "wait {0} less"),
    metric("median wait", "", "median wait {0} longer", "median wait {0} shorter"),
    metric("90th percentile of waits", "", "longest waits {0} longer", "longest waits {0} shorter"),
    metric("mean bounded slowdown", "", "slowdown {0} higher", "slowdown {0} lower"),
    metric("throughput", "jobs/day", "throughput {0} higher", "throughput {0} lower"),
    metric("utilisation", "", "utilisation {0} higher", "utilisation {0} lower"),
    metric("makespan", "", "makespan {0} longer", "makespan {0} shorter"),
    metric(
        "CPU time that went to others than its owners",
        "",
        "{0} more CPU time goes to others than it is owed to",
        "{0} less CPU time goes to others than it is owed to",
    ),
    metric(
        "share in time of the worst-off user",
        "",
        "the worst-off user gets {0} more of the share that is owed",
        "the worst-off user gets {0} less of the share that is owed",
    ),
    metric("preempted work", "CPU h", "{0} more work lost to preemption", "{0} less work lost to preemption"),
    metric("node-hours powered", "h", "{0} more node-hours powered", "{0} fewer node-hours powered"),
];

/// French.
pub const METRICS_FR: [MetricWords; 11] = [
    metric("attente moyenne", "", "attendent {0} de plus", "attendent {0} de moins"),
    metric("attente médiane", "", "attente médiane allongée de {0}", "attente médiane raccourcie de {0}"),
    metric(
        "90e centile des attentes",
        "",
        "attentes les plus longues allongées de {0}",
        "attentes les plus longues raccourcies de {0}",
    ),
    metric(
        "ralentissement borné moyen",
        "",
        "ralentissement en hausse de {0}",
        "ralentissement en baisse de {0}",
    ),
    metric("débit", "tâches/j", "débit en hausse de {0}", "débit en baisse de {0}"),
    metric("taux d’utilisation", "", "utilisation en hausse de {0}", "utilisation en baisse de {0}"),
    metric("durée totale", "", "durée totale allongée de {0}", "durée totale raccourcie de {0}"),
    metric(
        "temps CPU allé à d’autres que les ayants droit",
        "",
        "le temps CPU qui va à d’autres que les ayants droit augmente de {0}",
        "le temps CPU qui va à d’autres que les ayants droit baisse de {0}",
    ),
    metric(
        "part reçue à temps par le moins bien servi",
        "",
        "l’utilisateur le moins bien servi reçoit {0} de plus de sa part",
        "l’utilisateur le moins bien servi reçoit {0} de moins de sa part",
    ),
    metric(
        "travail perdu par préemption",
        "h CPU",
        "travail perdu par préemption en hausse de {0}",
        "travail perdu par préemption en baisse de {0}",
    ),
    metric(
        "heures de nœuds sous tension",
        "h",
        "heures de nœuds sous tension en hausse de {0}",
        "heures de nœuds sous tension en baisse de {0}",
    ),
];
