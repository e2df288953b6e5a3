//! The table of the deferred module's words: name, English, French.

macro_rules! words {
    ($($name:ident: $en:literal, $fr:literal;)*) => {
        /// Every text that only the deferred module uses.
        #[allow(missing_docs, reason = "the table gives each text")]
        pub struct LaterWords {
            $(pub $name: &'static str,)*
        }

        /// English.
        pub const EN: LaterWords = LaterWords { $($name: $en,)* };

        /// French.
        pub const FR: LaterWords = LaterWords { $($name: $fr,)* };
    };
}

words! {
    // The menu of the header.
    menu_look: "Display", "Affichage";
    menu_cluster: "This cluster", "Cette grappe";
    menu_share: "Share", "Partager";
    menu_help: "Help", "Aide";
    theme: "Theme", "Thème";
    theme_auto: "Auto", "Auto";
    theme_light: "Light", "Clair";
    theme_dark: "Dark", "Sombre";
    language: "Language", "Langue";
    reset: "Start over…", "Recommencer…";
    reset_ask: "Start this cluster over? Its jobs and files will be lost. Text open in the editor is kept.",
        "Recommencer à zéro ? Les tâches et les fichiers de cette grappe seront perdus. Le texte ouvert dans l’éditeur est conservé.";
    background: "Other users’ jobs (starts over)", "Activité des autres (repart de zéro)";
    background_off: "none", "aucune";
    background_quiet: "quiet", "calme";
    background_normal: "normal", "normale";
    background_busy: "busy", "forte";
    background_overloaded: "overloaded", "excessive";
    about: "A simulation of Slurm 26.05, not Slurm. Not affiliated with SchedMD.",
        "Une simulation de Slurm 26.05, pas Slurm. Sans lien avec SchedMD.";
    licences: "Licences", "Licences";
    book: "The book", "Le livre";
    book_address: "book/index.html", "book/fr/index.html";
    own_choose: "Your own…", "Le vôtre…";
    // The pickers of the header.
    finder_label: "Search commands, jobs and sites", "Chercher commandes, tâches et sites";
    pick_site: "Search clusters", "Chercher une grappe";
    pick_user: "Search users", "Chercher un utilisateur";
    own_choose_about: "Open a slurm.conf from this computer.", "Ouvrir un slurm.conf de cet ordinateur.";
    // The projector mode.
    pair: "Zones on the projector", "Zones projetées";
    pair_terminal_cluster: "Terminal and nodes", "Terminal et nœuds";
    pair_terminal_panels: "Terminal and panels", "Terminal et panneaux";
    pair_editor_terminal: "Editor and terminal", "Éditeur et terminal";
    pair_cluster_panels: "Nodes and panels", "Nœuds et panneaux";
    // A lesson on another host.
    elsewhere_title: "Load a lesson from another server?", "Charger une leçon d’un autre serveur ?";
    elsewhere_from: "The link that you opened asks for a lesson from {0}:", "Le lien que vous avez ouvert demande une leçon de {0} :";
    elsewhere_about: "If you load it, that server sees your IP address and which lesson you open. Pictures in the lesson come only from there, and what you type stays in this tab.",
        "Si vous la chargez, ce serveur verra votre adresse IP et la leçon ouverte. Les images de la leçon ne viennent que de lui, et ce que vous saisissez reste dans cet onglet.";
    elsewhere_no: "Don’t load", "Ne pas charger";
    elsewhere_yes: "Load the lesson", "Charger la leçon";
    picture_elsewhere: "Picture not loaded: it is on {0}, not on the lesson’s server.", "Image non chargée : elle est sur {0} et non sur le serveur de la leçon.";
    picture_refused: "Picture not loaded: its address is not allowed.", "Image non chargée : son adresse n’est pas autorisée.";
    // The figures above the nodes.
    figure_cores: "Cores in use on {0} nodes", "Cœurs utilisés sur {0} nœuds";
    figure_gpus: "GPUs in use", "GPU utilisés";
    figure_queue: "Pending jobs", "Tâches en attente";
    figure_running: "· {0} running", "· {0} en cours";
    figure_most: "Since {0}: at most {1}", "Depuis {0} : au plus {1}";
    line_load: "{0} of the cores in use, pending jobs: {1}", "{0} des cœurs utilisés, tâches en attente : {1}";
    // The partitions above the nodes.
    chip_name: "{0}: {1} of these nodes", "{0} : {1} de ces nœuds";
    chip_says: "{0}: {1} nodes, {2} allocated, {3} idle, {4} other", "{0} : {1} nœuds, dont {2} alloués, {3} libres, {4} autres";
    chips_more: "{0} more partitions", "{0} autres partitions";
    // The link for a class.
    link_about: "Everyone who opens this link starts with the same cluster, the same people and the same jobs.",
        "Toutes les personnes qui ouvrent ce lien commencent avec la même grappe, les mêmes utilisateurs et les mêmes tâches.";
    link_no_lesson: "none", "aucune";
    link_this_lesson: "the one that is open", "celle qui est ouverte";
    link_any_language: "of the browser", "celle du navigateur";
    link_load: "Other users’ jobs", "Activité des autres";
    link_seed: "Random seed", "Graine aléatoire";
    link_other_seed: "Another seed", "Une autre graine";
    link_link: "Link", "Lien";
    link_copy: "Copy", "Copier";
    link_code: "QR code of the link", "QR code du lien";
    link_long: "This link is too long for a QR code.", "Ce lien est trop long pour un QR code.";
    link_local: "This address works only on this computer. Put the page on a server, or use sandbatch serve.",
        "Cette adresse ne fonctionne que sur cet ordinateur. Mettez la page sur un serveur, ou utilisez sandbatch serve.";
    link_own: "Your own site is only in this browser, so a link cannot open it. “Copy a link to this moment” contains the site.",
        "Votre propre site n’existe que dans ce navigateur : un lien ne peut pas l’ouvrir. « Copier un lien vers cet instant » contient le site.";
    // The comparison of policies.
    compare_start: "Compare", "Comparer";
    compare_stop: "Stop", "Arrêter";
    compare_loads: "Loading…", "Chargement…";
    compare_done: "{0} of {1} replays", "{0} rejeux sur {1}";
    compare_setup: "Plan", "Plan";
    compare_about: "The same jobs are replayed under each policy. The session is not changed.",
        "Les mêmes tâches sont rejouées avec chaque politique. La session n’est pas modifiée.";
    compare_jobs: "Jobs", "Tâches";
    compare_background: "other users’ jobs, {0}", "activité des autres, {0}";
    compare_history: "imported history", "historique importé";
    compare_days: "Days", "Jours";
    compare_resamples: "Resamples", "Rééchantillonnages";
    compare_trace: "Trace (.swf, .events)", "Trace (.swf, .events)";
    compare_unpack: "Unpack {0} first.", "Décompressez d’abord {0}.";
    compare_died: "A worker of the comparison stopped, perhaps because memory was short.", "Un worker de la comparaison s’est arrêté, peut-être faute de mémoire.";
    compare_as_is: "as it is", "telle quelle";
    compare_baseline: "The site’s files without changes. The others are compared with it.",
        "Les fichiers du site, sans modification. Les autres politiques lui sont comparées.";
    compare_policy: "Policy {0}", "Politique {0}";
    compare_name: "Name", "Nom";
    compare_example: "Example…", "Exemple…";
    compare_lines: "Changes: lines of slurm.conf, sacctmgr commands, unset KEY, remove NODES",
        "Modifications : lignes de slurm.conf, commandes sacctmgr, unset CLÉ, remove NŒUDS";
    compare_add: "Add a policy", "Ajouter une politique";
    compare_remove: "Remove", "Retirer";
    compare_no_preemption: "no preemption", "sans préemption";
    compare_window: "a week of backfill", "remplissage sur une semaine";
    compare_no_backfill: "no backfill", "sans remplissage (backfill)";
    compare_fifo: "first in, first out", "premier arrivé, premier servi";
    compare_open: "Open a plan (plan.toml)", "Ouvrir un plan (plan.toml)";
    compare_to_form: "Back to the form", "Revenir au formulaire";
    compare_partial: "Not all replays are done; the report still changes.", "Tous les rejeux ne sont pas terminés : le rapport change encore.";
    compare_report: "Report", "Rapport";
    // The picture to be pasted elsewhere.
    poster: "Copy a picture", "Copier une image";
    poster_copied: "Picture copied.", "Image copiée.";
    poster_saved: "Picture saved as a file.", "Image enregistrée dans un fichier.";
    full_page: "Open full page", "Ouvrir la page entière";
    // Lines that wait for a prompt.
    typing_waits: "A program is running. Typed at the next prompt:", "Un programme s’exécute. Saisi à la prochaine invite :";
    typing_waits_of: "Typed at the next prompt of {0}:", "Saisi à la prochaine invite de {0} :";
    typing_more: "and {0} more", "et {0} de plus";
    typing_drop: "Don’t type", "Ne pas saisir";
    // The inspector.
    job_unsubmitted: "This job is not submitted yet.", "Cette tâche n’est pas encore soumise.";
    // The other panels.
    time_line: "Time line", "Ligne du temps";
    travel_past: "You are viewing the past:", "Vous voyez le passé :";
    travel_hint: "any command you type starts a new branch here.", "toute commande saisie crée ici une nouvelle branche.";
    branches: "Branches", "Branches";
    branches_help: "Each branch starts where you went back in time and did something different. The current one is marked.",
        "Une branche naît quand vous revenez en arrière et agissez autrement. La branche actuelle est marquée.";
    gantt_help: "Jobs over time. Arrow keys move, + and − zoom, 0 returns to now.",
        "Tâches au fil du temps. Les flèches déplacent, + et − zooment, 0 revient au présent.";
    gantt_empty: "No jobs in this time range. Submit one or choose a longer range.",
        "Aucune tâche sur cette période. Soumettez-en une ou choisissez une période plus longue.";
    gantt_cut: "This time range holds too many records; only the newest are shown.",
        "Trop d’enregistrements sur cette période : seuls les plus récents sont affichés.";
    gantt_rows: "Rows", "Lignes";
    gantt_span: "Time range", "Période affichée";
    gantt_table: "Table", "Tableau";
    zoom_in: "Zoom in", "Zoom avant";
    zoom_out: "Zoom out", "Zoom arrière";
    density: "Detail", "Détail";
    density_auto: "auto", "auto";
    density_cells: "cells", "cellules";
    density_bars: "bars", "barres";
    density_blocks: "blocks", "blocs";
    find_node: "Find a node, state, job or user", "Chercher nœud, état, tâche ou utilisateur";
    found: "found", "trouvés";
    found_one: "found", "trouvé";
    by_switch: "by switch", "par commutateur";
    legend: "Legend", "Légende";
    sign_heat: "cores in use, from none to all", "cœurs utilisés, d’aucun à tous";
    sign_mine: "your jobs (outlined)", "vos tâches (encadrées)";
    node: "Node", "Nœud";
    features: "Features", "Caractéristiques";
    jobs_here: "Jobs on this node", "Tâches sur ce nœud";
    no_jobs_here: "No jobs on this node.", "Aucune tâche sur ce nœud.";
    why_asking: "Asking the scheduler…", "Interrogation de l’ordonnanceur…";
    why_nodes: "Node by node", "Nœud par nœud";
    why_rests: "This estimate assumes", "Hypothèses de cette estimation";
    why_front: "Free nodes reserved for jobs ahead of it", "Nœuds libres réservés aux tâches qui la précèdent";
    again: "Resubmit with more:", "Soumettre de nouveau, avec plus :";
    efficiency: "Efficiency", "Efficacité";
    memory_peak: "Memory", "Mémoire";
    depends_on: "Depends on", "Dépend de";
    needed_by: "Dependent jobs", "Tâches dépendantes";
    show_nodes: "Show the first of these nodes", "Montrer le premier de ces nœuds";
    priority_basic: "This cluster starts jobs in the order they were submitted (priority/basic). There are no factors to weigh.",
        "Cette grappe lance les tâches dans leur ordre de soumission (priority/basic). Il n’y a rien à pondérer.";
    priority_empty: "No pending jobs. Pending jobs appear here with the factors of their priority.",
        "Aucune tâche en attente. Les tâches en attente figureront ici avec les facteurs de leur priorité.";
    export: "Export", "Exporter";
    save_svg: "Picture as SVG", "Image en SVG";
    save_png: "Picture as PNG", "Image en PNG";
    save_csv: "Data as CSV", "Données en CSV";
    save_csv_first: "First {0} rows as CSV", "{0} premières lignes en CSV";
    copy_link: "Copy link to this view", "Copier le lien vers cette vue";
    // The filters of the queue and of the nodes.
    filter_remove: "Remove filter: {0}", "Retirer le filtre : {0}";
    find: "Find", "Chercher";
    all_partitions: "All partitions", "Toutes les partitions";
    group_arrays: "Group arrays", "Grouper les tableaux";
    columns: "Columns", "Colonnes";
    ended_too: "Show finished", "Terminées";
    mine: "Mine", "Miennes";
    // A span of the time line.
    span_help: "Drag over the history, or hold Shift with the arrow keys, to select a time range for the timeline and the charts.",
        "Faites glisser sur l’historique, ou flèches avec Maj, pour choisir la période de la chronologie et des graphiques.";
    span_leave: "Leave the time range (Escape)", "Quitter la période (Échap)";
    type_as_root: "Type it as root", "Saisir en tant que root";
    shares_ranking: "Ranking", "Classement";
    shares_basic: "This cluster starts jobs in the order they were submitted (priority/basic), so past usage does not count. With these two lines in slurm.conf it would, and slurmctld would compute the share tree:",
        "Cette grappe lance les tâches dans leur ordre de soumission (priority/basic) : l’utilisation passée ne compte pas. Avec ces deux lignes dans slurm.conf elle compterait, et slurmctld calculerait l’arbre des parts :";
    shares_weightless: "Computed but without effect: PriorityWeightFairshare is 0.",
        "Calculée, mais sans effet : PriorityWeightFairshare vaut 0.";
    shares_change: "Give", "Donner à";
    shares_to: "shares", "parts";
    shares_as_is: "Show the current state", "Revenir à l’état actuel";
    priority_teach: "To weigh priorities, put lines like these into slurm.conf:",
        "Pour pondérer les priorités, mettez dans slurm.conf des lignes comme celles-ci :";
    priority_preview: "Preview of the order with the weights below; nothing has been changed yet.",
        "Aperçu de l’ordre avec les poids ci-dessous ; rien n’est encore changé.";
    priority_line: "A pass tries jobs down to here", "Une passe essaie les tâches jusqu’ici";
    priority_held: "Held, so not tried:", "Retenues, donc non essayées :";
    weights: "Change the weights", "Changer les poids";
    weights_hint: "Change a weight to get the command. Priorities follow at the next calculation (PriorityCalcPeriod).",
        "Changez un poids pour obtenir la commande. Les priorités suivent au prochain calcul (PriorityCalcPeriod).";
    graph_empty: "No dependencies and no arrays. This command creates a chain of three jobs with an array in the middle:",
        "Aucune dépendance, aucun tableau de tâches. Cette commande crée une chaîne de trois tâches, avec un tableau au milieu :";
    graph_cut: "There are too many dependencies to draw; only the newest are shown.",
        "Il y a trop de dépendances : seules les plus récentes sont dessinées.";
    graph_list: "As a list", "En liste";
    edge_satisfied: "satisfied", "satisfaite";
    edge_waits: "pending", "en attente";
    edge_never: "cannot be satisfied", "impossible";
    graph_array: "Array", "Tableau de tâches";
    charts_span: "Time range", "Période affichée";
    charts_selected: "selected time range", "période choisie";
    charts_cut: "Based on the newest 20,000 records of slurmdbd. Older jobs may reach into this time range.",
        "Calculé sur les 20 000 enregistrements les plus récents de slurmdbd. De plus anciens peuvent déborder sur cette période.";
    charts_empty: "No jobs ran in this time range. Once jobs run, utilisation, wait times and usage appear here.",
        "Aucune tâche n’a tourné sur cette période. L’occupation, les attentes et l’utilisation s’afficheront ici dès qu’il y en aura.";
    chart_waits: "Wait times of started jobs, by partition", "Attente des tâches démarrées, par partition";
    wait_median: "median", "médiane";
    wait_ninth: "90th percentile", "90e centile";
    wait_longest: "longest", "maximum";
    jobs_count: "Jobs", "Tâches";
    cpu_hours: "CPU h", "h CPU";
    gpu_hours: "GPU h", "h GPU";
    account_filter: "User, account, state, name…", "Utilisateur, compte, état, nom…";
    preempt_change: "Change in Administration", "Modifier dans Administration";
    preempt_off: "Preemption is off on this cluster. With lines like these in slurm.conf, jobs in one partition preempt those in another:",
        "La préemption est désactivée sur cette grappe. Avec de telles lignes dans slurm.conf, les tâches d’une partition préemptent celles d’une autre :";
    preempt_none: "No jobs have been preempted yet. Each preemption appears here, with what happened to both jobs.",
        "Aucune tâche n’a encore été préemptée. Chaque préemption figurera ici, avec ce que les deux tâches sont devenues.";
    admin_standing: "Current state", "État actuel";
    admin_none: "None.", "Aucune.";
    admin_incomplete: "Fill in every field to get the command.", "Remplissez tous les champs pour obtenir la commande.";
    compose_write: "Open in the editor", "Ouvrir dans l’éditeur";
    kind: "What to run", "À exécuter";
    class_word: "Class", "Classe";
    class_title: "Join the class", "Rejoindre la classe";
    class_rules: "Choose a name. Everybody in the class sees it. It becomes your user on the cluster: lower-case letters, digits, - and _.",
        "Choisissez un nom, visible par toute la classe. Il devient votre compte sur la grappe : minuscules, chiffres, - et _.";
    class_name: "Your name", "Votre nom";
    class_join: "Join", "Rejoindre";
    class_clock: "Your teacher sets the clock, and can look at your terminal or show it to all; the page then says so. Otherwise, others see your jobs and not your terminal.",
        "L’horloge est réglée par l’enseignant, qui peut aussi regarder votre terminal ou le montrer à tous ; la page l’indique alors. Sinon, les autres voient vos tâches, pas votre terminal.";
    class_person: "Participant", "Participant";
    class_idle: "Last input", "Dernière saisie";
    class_announce: "Message to all terminals", "Message à tous les terminaux";
    class_send: "Send", "Envoyer";
    class_board: "Dashboard", "Tableau de bord";
    class_hands: "Hands up: {0}", "Mains levées : {0}";
    class_raise: "Raise hand", "Lever la main";
    class_lower: "Lower hand", "Baisser la main";
    class_pending: "Pending jobs", "Tâches en attente";
    class_running: "Running", "En cours";
    class_failed: "Failed", "En échec";
    class_failures: "Failed commands in a row", "Commandes en échec de suite";
    class_quiet: "Last success", "Dernière réussite";
    class_help: "May need help", "Peut-être bloqué";
    class_free: "Free the name", "Libérer le nom";
    class_freed: "name is free", "nom libre";
    class_step: "Step", "Étape";
    class_step_of: "{0} of {1}, {2}", "{0} sur {1}, {2}";
    class_step_failures: "failed commands: {0}", "commandes en échec : {0}";
    class_all_steps: "all done", "toutes faites";
    class_look: "Look", "Regarder";
    class_look_title: "Participant’s terminal", "Terminal d’un participant";
    class_wall: "All terminals", "Tous les terminaux";
    class_no_terminals: "No participant has a terminal yet.", "Aucun participant n’a encore de terminal.";
    class_type: "Type into this terminal", "Écrire dans ce terminal";
    class_uninvited: "You can type here while the participant’s hand is up.", "Vous pouvez écrire ici tant que le participant lève la main.";
    class_show: "Show to all", "Montrer à tous";
    class_show_job: "Show job {0} to all", "Montrer la tâche {0} à tous";
    class_show_end: "Stop showing", "Cesser de montrer";
    class_shown: "Shown to all", "Montré à tous";
    class_shows_terminal: "{0} shows {1}’s terminal.", "{0} montre le terminal de {1}.";
    class_shows_job: "{0} shows job {1}.", "{0} montre la tâche {1}.";
    class_frozen: "The clock is paused.", "L’horloge est en pause.";
    class_looks: "{0} is looking at your terminal", "{0} regarde votre terminal";
    class_types: "{0} is looking at your terminal and can type in it while your hand is up", "{0} regarde votre terminal et peut y écrire tant que votre main est levée";
    class_results_page: "Results as a page", "Résultats en page web";
    class_results: "Results of the class {0}", "Résultats de la classe {0}";
    class_result_columns: "Jobs submitted|Completed|Failed|Cancelled|Running|Pending|Commands|Steps done|Steps|Points|Seconds on the step|Failed commands on the step",
        "Tâches soumises|Terminées|En échec|Annulées|En cours|En attente|Commandes|Étapes faites|Étapes|Points|Secondes sur l’étape|Commandes en échec sur l’étape";
    class_record: "Recording", "Enregistrement";
    class_recording_begins: "Preparing the recording…", "Préparation de l’enregistrement…";
    class_recording_kept: "Names that are also words of commands stay in the texts:", "Noms conservés dans les textes, car ce sont aussi des mots de commandes :";
    class_csv: "Results as CSV", "Résultats en CSV";
    class_hide_names: "Numbers instead of names", "Numéros au lieu des noms";
    class_events: "Make something happen:", "Provoquer un événement :";
    class_drain: "Drain a node", "Retirer un nœud du service";
    class_fail: "Let a node fail", "Panne d’un nœud";
    class_fill: "Fill the queue", "Remplir la file d’attente";
    class_preempt: "Preempt a job", "Préempter une tâche";
    class_requeue: "Requeue a job", "Remettre une tâche en file";
    class_resume: "Resume nodes", "Remettre les nœuds en service";
    class_invite: "Link for participants", "Lien pour les participants";
    own_title: "Your own site", "Votre propre site";
    own_about: "A cluster from its configuration: slurm.conf, with gres.conf, topology.conf, cgroup.conf, included files, and the output of “sacctmgr dump” for users and accounts. Files are read in this tab and not sent anywhere.",
        "Une grappe d’après sa configuration : slurm.conf, avec gres.conf, topology.conf, cgroup.conf, les fichiers inclus et un fichier de « sacctmgr dump » pour les utilisateurs et les comptes. Tout est lu dans cet onglet, rien n’est envoyé.";
    own_drop: "Drop files or a folder here or anywhere on the page. An archive of “sandbatch export-script”, what sacct -P printed, lessons, saved moments and results work too.",
        "Déposez des fichiers ou un dossier ici ou n’importe où sur la page. Une archive de « sandbatch export-script », la sortie de sacct -P, des leçons, des instants enregistrés et des résultats conviennent aussi.";
    own_files: "Files…", "Fichiers…";
    own_folder: "Folder…", "Dossier…";
    own_forget: "Remove", "Supprimer";
    own_reading: "Reading…", "Lecture…";
    own_read: "Read:", "Lus :";
    own_made_up: "Assumed (not in the files):", "Supposés (absents des fichiers) :";
    own_refused: "slurmctld would not start with these files. Nothing was opened.",
        "slurmctld ne démarrerait pas avec ces fichiers. Rien n’a été ouvert.";
    own_findings: "Findings", "Remarques";
    own_other: "Other files", "D’autres fichiers";
    results_about: "Drop the participants’ files here. They stay in this tab.",
        "Déposez ici les fichiers des participants. Ils restent dans cet onglet.";
    results_changed: "edited since", "modifié depuis";
    results_look: "Open", "Ouvrir";
    results_mine: "For your teacher", "Pour votre enseignant";
    results_save: "Save my results", "Enregistrer mes résultats";
    results_name: "Your name", "Votre nom";
    lesson_over: "Time is up. Start over as often as you like.", "Le temps est écoulé. Recommencez autant de fois que vous le voulez.";
    lessons_about: "Each lesson has its own cluster and notices when a step is done. Take your time: the clock waits.",
        "Chaque leçon a sa propre grappe et détecte les étapes terminées. Prenez votre temps : l’horloge attend.";
    lesson_none: "This page has no lessons.", "Cette page ne contient aucune leçon.";
    lesson_file: "Your own lesson:", "Votre propre leçon :";
    lesson_address: "or its address:", "ou son adresse :";
    lesson_broken: "This lesson has errors. You can read it but not do it:",
        "Cette leçon contient des erreurs. On peut la lire, pas la suivre :";
    lesson_again: "Start over", "Recommencer";
    lesson_hint: "Hint", "Indice";
    lesson_solution: "Solution", "Solution";
    lesson_solve: "Type it", "Saisir";
    lesson_card_copy: "Copy this card as a picture", "Copier cette carte en image";
    lesson_card_steps: "Steps done: {0}", "Étapes terminées : {0}";
    lesson_done: "All steps are done.", "Toutes les étapes sont terminées.";
    lesson_return: "Back to the lesson", "Revenir à la leçon";
    lesson_own: "Leave the lesson", "Quitter la leçon";
    lesson_next: "Next:", "Suivante :";
}
