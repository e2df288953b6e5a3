//! The table of words: name, English, French. French terms are those of French-speaking sites.

use view::times::{self, Calendar};

macro_rules! words {
    ($($name:ident: $en:literal, $fr:literal;)*) => {
        /// Every text of the page.
        #[allow(missing_docs, reason = "the table gives each text")]
        pub struct Words {
            $(pub $name: &'static str,)*
            pub weekdays: [&'static str; 7],
            /// How moments are written.
            pub calendar: &'static Calendar,
        }

        /// English.
        pub const EN: Words = Words {
            $($name: $en,)*
            weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
            calendar: &times::EN,
        };

        /// French.
        pub const FR: Words = Words {
            $($name: $fr,)*
            weekdays: ["lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."],
            calendar: &times::FR,
        };
    };
}

words! {
    // The head of the page.
    site: "Site", "Site";
    user: "You are", "Vous êtes";
    more: "More", "Plus";
    screen_reader: "Terminal screen reader mode", "Mode lecteur d’écran du terminal";
    // The clock.
    clock: "Simulated time", "Temps simulé";
    play: "Resume", "Reprendre";
    pause: "Pause", "Pause";
    pace: "Speed", "Vitesse";
    next_event: "Skip to the next event", "Aller au prochain événement";
    skip_until: "Skip to…", "Aller à…";
    until_start: "start of one of my jobs", "début d’une de mes tâches";
    until_end: "end of one of my jobs", "fin d’une de mes tâches";
    until_empty: "empty queue", "file d’attente vide";
    stop: "Stop skipping", "Arrêter l’avance rapide";
    held: "1× while you type", "1× pendant la saisie";
    paused: "paused", "en pause";
    skipping: "skipping ahead…", "avance rapide…";
    behind: "as fast as possible", "aussi vite que possible";
    day: "d", "j";
    looking_back: "viewing the past", "dans le passé";
    pace_1: "real time", "temps réel";
    pace_10: "10 s per second", "10 s par seconde";
    pace_60: "1 min per second", "1 min par seconde";
    pace_600: "10 min per second", "10 min par seconde";
    pace_3600: "1 h per second", "1 h par seconde";
    until_hour: "1 hour later", "1 heure plus tard";
    until_day: "1 day later", "1 jour plus tard";
    until_morning: "8:00 next morning", "8 h le lendemain matin";
    until_moment: "a date and time…", "une date et une heure…";
    until_go: "Go", "Y aller";
    // The time line.
    travel_now: "Back to now", "Revenir au présent";
    branch: "Branch", "Branche";
    branch_first: "original", "d’origine";
    branch_here: "current", "actuelle";
    ago: "ago", "plus tôt";
    present: "now", "maintenant";
    failed: "failed", "échec";
    nobody_here: "No one was logged in to this terminal at that time.", "Personne n’était connecté à ce terminal à ce moment-là.";
    // Zones.
    terminal: "Terminal", "Terminal";
    editor: "Editor", "Éditeur";
    cluster: "Cluster", "Grappe";
    queue: "Queue", "File d’attente";
    tab_queue: "Queue", "File";
    write: "Write", "Écrire";
    type_: "Type", "Saisir";
    see: "Nodes", "Nœuds";
    zones: "Page areas", "Zones de la page";
    // The timeline.
    timeline: "Timeline", "Chronologie";
    gantt_by: "preempted by {0}", "préemptée par {0}";
    gantt_row: "Row", "Ligne";
    gantt_nodes: "Nodes", "Nœuds";
    gantt_jobs: "Jobs", "Tâches";
    to_limit: "until time limit", "jusqu’à la durée maximale";
    planned: "planned", "prévue";
    preempted: "preempted", "préemptée";
    sent_back: "requeued", "remise en file";
    suspended: "suspended", "suspendue";
    completed: "completed", "terminée";
    many_jobs: "several jobs", "plusieurs tâches";
    // Several terminals.
    terminals: "Terminals", "Terminaux";
    new_terminal: "New terminal as…", "Nouveau terminal pour…";
    close_terminal: "Close the terminal of", "Fermer le terminal de";
    beside: "Side by side", "Côte à côte";
    // The editor.
    save: "Save", "Enregistrer";
    submit: "Submit", "Soumettre";
    submit_title: "Save the file and run sbatch on it", "Enregistrer le fichier et lancer sbatch";
    files: "Files", "Fichiers";
    new_file: "New file", "Nouveau fichier";
    new_name: "Name of the new file", "Nom du nouveau fichier";
    close_file: "Close", "Fermer";
    unsaved: "unsaved", "non enregistré";
    no_files: "No files yet.", "Aucun fichier.";
    pick_file: "Select a file on the left or create one.", "Choisissez un fichier à gauche ou créez-en un.";
    editor_replace: "Change to {0}", "Remplacer par {0}";
    editor_insert: "Insert {0}", "Insérer {0}";
    parent: "Up", "Dossier parent";
    // The cluster.
    sign_planned: "planned for a job", "prévu pour une tâche";
    sign_draining: "draining or drained", "en retrait ou retiré du service";
    sign_down: "down", "hors service";
    sign_reserved: "reserved", "réservé";
    sign_rising: "powering up", "en démarrage";
    sign_off: "powered down", "éteint";
    sign_suspended: "job suspended", "tâche suspendue";
    sign_completing: "job completing", "tâche en fin d’exécution";
    nodes: "nodes", "nœuds";
    cores: "cores", "cœurs";
    memory: "memory", "mémoire";
    of: "of", "sur";
    state: "State", "État";
    partition: "Partition", "Partition";
    default: "default", "par défaut";
    other_nodes: "other nodes", "autres nœuds";
    // The queue.
    id: "Job", "Tâche";
    name: "Name", "Nom";
    owner: "User", "Utilisateur";
    time: "Time", "Temps";
    size: "Size", "Taille";
    nodelist: "Nodes/reason", "Nœuds/raison";
    decimal: ".", ",";
    thousands: ",", "\u{202f}";
    percent: "%", "\u{202f}%";
    priority: "Priority", "Priorité";
    running: "running", "en cours";
    waiting: "pending", "en attente";
    queue_empty: "The queue is empty.", "La file d’attente est vide.";
    queue_none_mine: "You have no jobs in the queue.", "Vous n’avez aucune tâche dans la file d’attente.";
    queue_none_such: "No jobs match these filters.", "Aucune tâche ne correspond à ces filtres.";
    queue_teach: "To submit a job:", "Pour soumettre une tâche :";
    type_it: "Type it for me", "Saisir la commande";
    // Details.
    details: "Details", "Détails";
    close: "Close", "Fermer";
    cancel: "Cancel job", "Annuler la tâche";
    hold: "Hold", "Retenir";
    release: "Release", "Libérer";
    account: "Account", "Compte";
    reason: "Reason", "Raison";
    exit: "Exit code", "Code de sortie";
    on_nodes: "Nodes", "Nœuds";
    starts: "Starts", "Début prévu";
    ends: "Ends by", "Fin au plus tard";
    submitted: "Submitted", "Soumise";
    eligible: "Eligible", "Éligible";
    started: "Started", "Début";
    ended: "Ended", "Fin";
    limit: "Time limit", "Durée maximale";
    no_limit: "none", "aucune";
    requested: "Requested", "Demandé";
    allocated: "Allocated", "Alloué";
    work_dir: "Directory", "Répertoire";
    comment: "Comment", "Commentaire";
    output: "Output", "Sortie";
    errors: "Errors", "Erreurs";
    nothing_yet: "Nothing yet.", "Rien pour l’instant.";
    wrote_nothing: "No output.", "Aucune sortie.";
    script: "Script", "Script";
    gone: "The controller no longer has this job. sacct still shows it.",
        "Le contrôleur n’a plus cette tâche. sacct la montre encore.";
    gone_kept: "slurmctld purged this job some time after it ended (MinJobAge). This is its accounting record, which has no script.",
        "slurmctld a oublié cette tâche quelque temps après sa fin (MinJobAge). Voici ce qu’en garde la comptabilité, sans le script.";
    // Why it waits, what became of it.
    why: "Why is it waiting?", "Pourquoi attend-elle ?";
    why_change: "Any one of these changes would let it start now", "N’importe lequel de ces changements la ferait démarrer maintenant";
    why_joins: "Any one of these changes would make it eligible", "N’importe lequel de ces changements la rendrait éligible";
    why_no_change: "No single change to its request would let it start now.",
        "Aucun changement isolé de sa demande ne la ferait démarrer maintenant.";
    why_not_tried: "No changes were tried: with {0} jobs (limit: {1}), each attempt would take too long.",
        "Aucun changement n’a été essayé : avec {0} tâches (limite : {1}), chaque essai serait trop long.";
    why_trying: "Looking for changes that would help…", "Recherche de changements utiles…";
    outcome: "What happened", "Ce qui s’est passé";
    put_back: "Requeued", "Remise en file";
    dep_waits: "pending", "en attente";
    dep_holds: "satisfied", "satisfaite";
    dep_never: "cannot be satisfied", "impossible";
    array: "Array", "Tableau";
    over: "finished", "terminées";
    requeue: "Requeue", "Remettre en file";
    shell: "Shell on node", "Shell";
    top: "Move to top", "Mettre en tête";
    refused: "Why this was refused", "Pourquoi ce refus";
    // First steps.
    steps: "Your first job", "Votre première tâche";
    step_submit: "Submit the script", "Soumettre le script";
    step_watch: "Watch it run", "Suivre son exécution";
    step_read: "Read its output", "Lire sa sortie";
    step_done: "Your first batch job is done.", "Votre première tâche est terminée.";
    dismiss: "Hide", "Masquer";
    // Notices.
    notices: "Notices", "Notifications";
    starting: "The cluster is starting…", "La grappe démarre…";
    opening: "Opening your session: {0} of {1} inputs…", "Ouverture de votre session : {0} saisies sur {1}…";
    engine_restarted: "The simulation crashed and was restarted without the last input:",
        "La simulation a planté et a été relancée sans la dernière saisie :";
    engine_again: "The simulation crashed and was restarted. Nothing is lost; the clock is paused:",
        "La simulation a planté et a été relancée. Rien n’est perdu ; l’horloge est en pause :";
    engine_hangs: "The simulation has not responded for 15 s.", "La simulation ne répond plus depuis 15 s.";
    engine_stopped: "The simulation cannot start. Reload the page or start over.",
        "La simulation ne démarre pas. Rechargez la page ou recommencez à zéro.";
    restart: "Restart", "Redémarrer";
    download: "Download the session", "Télécharger la session";
    crash_title: "The page has crashed", "La page a planté";
    crash_what: "An error in sandbatch stopped this page. It no longer responds.",
        "Une erreur de sandbatch a arrêté cette page. Elle ne répond plus.";
    crash_storing: "Storing your session in this browser…", "Enregistrement de votre session dans ce navigateur…";
    crash_stored: "Nothing is lost: your session is stored in this browser, up to its last input. Reload to continue.",
        "Rien n’est perdu : votre session est enregistrée dans ce navigateur, jusqu’à la dernière saisie. Rechargez la page pour continuer.";
    crash_as_stored: "A reload opens your session as this browser last stored it.",
        "Recharger la page rouvre votre session telle que ce navigateur l’a enregistrée en dernier.";
    crash_not_stored: "This session is not stored in this browser. A reload does not bring it back.",
        "Cette session n’est pas enregistrée dans ce navigateur. Recharger la page ne la ramènera pas.";
    crash_reload: "Reload the page", "Recharger la page";
    crash_copy: "Copy the report", "Copier le rapport";
    crash_copied: "Copied.", "Copié.";
    crash_not_copied: "This browser does not let the page copy. Select the report and copy it.",
        "Ce navigateur ne permet pas à la page de copier. Sélectionnez le rapport et copiez-le.";
    crash_report: "Crash report", "Rapport de plantage";
    crash_about: "The report helps to fix the error. It contains your last inputs. The page does not send it anywhere.",
        "Le rapport aide à corriger l’erreur. Il contient vos dernières saisies. La page ne l’envoie nulle part.";
    new_version: "A new version of sandbatch is ready. Your session is kept.",
        "Une nouvelle version de sandbatch est prête. Votre session est conservée.";
    storage_off: "This browser cannot save your session (storage full or blocked). A reload starts over.",
        "Ce navigateur ne peut rien enregistrer (stockage plein ou bloqué). Recharger la page remet tout à zéro.";
    other_tab: "This session is open in another tab. This is a copy: your changes here are not saved.",
        "Cette session est ouverte dans un autre onglet. Ceci est une copie : vos changements n’y sont pas enregistrés.";
    saved_unreadable: "The saved session could not be read. A new one was started:",
        "La session enregistrée est illisible. Une nouvelle a commencé :";
    old_session: "This browser still has a session that could not be opened. Closing this notice deletes it.",
        "Ce navigateur conserve une session qui n’a pas pu être ouverte. Fermer cet avis la supprime.";
    session_note: "About this session:", "À propos de cette session :";
    rebuilt: "The session was rebuilt from its journal:", "La session a été reconstituée à partir de son journal :";
    set_aside: "An input crashed the simulation and is now skipped:",
        "Une saisie faisait planter la simulation et est désormais ignorée :";
    idle_start: "None of your jobs is waiting to start.", "Aucune de vos tâches n’attend de démarrer.";
    idle_end: "You have no jobs in the queue.", "Vous n’avez aucune tâche dans la file d’attente.";
    idle_empty: "The queue is already empty.", "La file d’attente est déjà vide.";
    idle_past: "That time is in the past. Drag the time line to see it.",
        "Ce moment est passé. Faites glisser la ligne du temps pour le voir.";
    idle_far: "This did not happen within 30 days.", "Cela ne s’est pas produit en 30 jours.";
    bound: "A limit was reached:", "Une limite a été atteinte :";
    site_trouble: "The site’s files could not be used:", "Les fichiers du site sont inutilisables :";
    site_fetch: "The site’s files could not be loaded:", "Les fichiers du site n’ont pas pu être chargés :";
    save_failed: "Not saved:", "Non enregistré :";
    open_failed: "Could not be opened:", "Impossible d’ouvrir :";
    // Panels.
    panels: "Panels", "Panneaux";
    part_age: "age", "âge";
    part_assoc: "association", "association";
    part_fairshare: "fair share", "juste part";
    part_size: "job size", "taille";
    part_site: "site", "site";
    shares: "Fair share", "Juste part";
    shares_tree: "Tree", "Arbre";
    shares_table: "sshare -l", "sshare -l";
    shares_decay: "Half-life", "Demi-vie";
    shares_unused: "No usage yet, so everyone is tied for first place. Run a few jobs; usage is updated every {0}.",
        "Aucune utilisation pour l’instant : tout le monde est premier ex æquo. Lancez quelques tâches ; l’utilisation est mise à jour toutes les {0}.";
    shares_how: "Width: shares within the level. Fill: usage; the dashed line marks the share. Number: LevelFS; the higher goes first. Choose two people to see where the tree decides between them.",
        "Largeur : parts au sein du niveau. Remplissage : utilisation ; le trait pointillé marque la part. Nombre : LevelFS ; le plus grand passe devant. Choisissez deux personnes pour voir où l’arbre les départage.";
    shares_how_classic: "Width: shares. Fill: usage; the dashed line marks the share. Number: each person’s fair-share factor, 2^(−usage/shares) (classic fair share). Choose two people to compare them.",
        "Largeur : parts. Remplissage : utilisation ; le trait pointillé marque la part. Nombre : le facteur de chacun, 2^(−utilisation/parts) (juste part classique). Choisissez deux personnes pour les comparer.";
    shares_verdict: "{0} goes before {1}. Below {2}, their lowest common ancestor, LevelFS is {4} for {3} and {6} for {5}.",
        "{0} passe devant {1}. Sous {2}, leur plus proche ancêtre commun, LevelFS vaut {4} pour {3} et {6} pour {5}.";
    shares_whole: "So everyone below {0} goes before everyone below {1}.",
        "Toute personne sous {0} passe donc devant toute personne sous {1}.";
    shares_tied: "{0} and {1} are tied there: below {2}, {3} and {5} have the same LevelFS, {4}.",
        "{0} et {1} y sont à égalité : sous {2}, {3} et {5} ont le même LevelFS, {4}.";
    shares_numbers: "{0} goes before {1}. No level decides: their own factors are {2} and {3}.",
        "{0} passe devant {1}. Aucun niveau ne décide : leurs facteurs sont {2} et {3}.";
    shares_even: "{0} and {1} have the same factor, {2}.", "{0} et {1} ont le même facteur, {2}.";
    shares_soon: "Shares take effect at once, ranks at the next calculation (every {0}).",
        "Les parts prennent effet aussitôt, les rangs au prochain calcul (toutes les {0}).";
    shares_cut: "The first {0} of {1} associations.", "Les {0} premières associations sur {1}.";
    shares_preview: "Preview of the ranking; nothing has been changed yet.",
        "Aperçu du classement ; rien n’est encore changé.";
    shares_preview_decay: "Preview of the ranking as if usage had always decayed at this rate; nothing has been changed yet.",
        "Aperçu du classement comme si l’utilisation avait toujours décru à ce rythme ; rien n’est encore changé.";
    decay_half: "Half-life of usage", "Demi-vie de l’utilisation";
    decay_never: "no decay", "sans décroissance";
    decay_says: "Usage counts half after {0} and a quarter after {1}.",
        "L’utilisation compte pour moitié après {0}, pour un quart après {1}.";
    decay_none: "Usage does not decay here (PriorityDecayHalfLife=0). PriorityUsageResetPeriod can reset it.",
        "L’utilisation ne décroît pas ici (PriorityDecayHalfLife=0). PriorityUsageResetPeriod peut la remettre à zéro.";
    decay_now: "now", "maintenant";
    priority_all_tried: "Each pass tries all of them: {0} (default_queue_depth={1}, backfill bf_max_job_test={2}).",
        "Chaque passe les essaie toutes ({0} ; default_queue_depth={1}, remplissage bf_max_job_test={2}).";
    priority_some_tried: "Of {0} in the queue, a pass after an event tries the first {1} (default_queue_depth), backfill the first {2} (bf_max_job_test).",
        "Sur {0} dans la file, une passe après un événement essaie les {1} premières (default_queue_depth), le remplissage les {2} premières (bf_max_job_test).";
    priority_fixed: "fixed by an administrator", "fixée par un administrateur";
    held_admin: "by an administrator", "par un administrateur";
    priority_more: "The first {0} of {1}.", "Les {0} premières sur {1}.";
    priority_tier: "PriorityTier {0}: tried before lower tiers, regardless of priority",
        "PriorityTier {0} : essayées avant les niveaux inférieurs, quelle que soit la priorité";
    priority_point: "Select or point to a job to see its formula.", "Choisissez ou survolez une tâche pour voir sa formule.";
    graph: "Dependencies", "Dépendances";
    graph_tasks: "Array tasks", "Éléments du tableau";
    edge_says_satisfied: "{0} depends on {2} ({1}): satisfied.", "{0} dépend de {2} ({1}) : condition satisfaite.";
    edge_says_waits: "{0} depends on {2} ({1}): pending.", "{0} dépend de {2} ({1}) : en attente.";
    edge_says_never: "{0} depends on {2} ({1}): cannot be satisfied, so it never starts.",
        "{0} dépend de {2} ({1}) : condition impossible, elle ne démarrera jamais.";
    array_counts: "{0} tasks: {1} pending, {2} running, {3} finished.", "{0} éléments : {1} en attente, {2} en cours, {3} terminés.";
    array_throttle: "At most {0} at a time.", "Au plus {0} à la fois.";
    charts: "Charts", "Courbes";
    charts_all: "everything", "tout";
    chart_use: "Utilisation", "Occupation";
    chart_jobs: "Jobs", "Tâches";
    chart_turnover: "Starts and ends", "Débuts et fins";
    chart_starts: "starts", "débuts";
    chart_ends: "ends", "fins";
    chart_mean: "{0}: {1} on average, {2} at most.", "{0} : {1} en moyenne, {2} au maximum.";
    chart_total: "{0}: {1} in total.", "{0} : {1} au total.";
    used_by_user: "By user", "Par utilisateur";
    used_by_account: "By account", "Par compte";
    accounting: "Accounting", "Comptabilité";
    account_found: "{0} of {1} matches", "{0} sur {1} correspondances";
    account_none: "No finished jobs yet. They appear here as sacct prints them.",
        "Aucune tâche terminée pour l’instant. Elles figureront ici telles que sacct les affiche.";
    account_empty: "No finished jobs match.", "Aucune tâche terminée ne correspond.";
    preempt: "Preemption", "Préemption";
    preempt_safe: "Jobs cannot be preempted during their first {0}.", "Pas de préemption pendant {0} après le début d’une tâche.";
    preempt_pushed: "preempted", "a préempté";
    preempt_requeue: "Returned to the queue:", "Remise en file :";
    preempt_suspend: "Suspended:", "Suspendue :";
    preempt_cancel: "Cancelled:", "Annulée :";
    preempt_grace: "(grace time {0})", "(délai de grâce {0})";
    preempt_waits: "It is pending again.", "Elle est de nouveau en attente.";
    preempt_paused: "It is still suspended.", "Elle est encore suspendue.";
    preempt_again: "It has been running again since {0}.", "Elle tourne de nouveau depuis {0}.";
    preempt_runs: "It is running.", "Elle tourne.";
    preempt_ends: "Ending:", "Arrêt en cours :";
    preempt_until: "Its grace time ends at {0}.", "Son délai de grâce expire à {0}.";
    preempt_ended: "It ended: {0}.", "Elle est terminée : {0}.";
    preempt_forgotten: "slurmctld purged it; sacct shows how it ended.",
        "slurmctld l’a oubliée ; sacct montre comment elle s’est terminée.";
    // The administrator.
    admin: "Administration", "Administration";
    tab_admin: "Admin", "Admin";
    compare: "Compare policies", "Comparer des politiques";
    tab_graph: "Dependencies", "Graphe";
    tab_compare: "Compare", "Comparer";
    admin_partitions: "Partitions", "Partitions";
    admin_reservations: "Reservations", "Réservations";
    admin_accounts: "Accounts", "Comptes";
    admin_settings: "Settings", "Réglages";
    admin_node_state: "Drain nodes or return them to service", "Retirer des nœuds du service ou les y remettre";
    admin_node_power: "Make a node fail: cut or restore its power", "Simuler une panne : couper ou rétablir l’alimentation d’un nœud";
    admin_power: "Power", "Alimentation";
    admin_add_nodes: "Add nodes", "Ajouter des nœuds";
    admin_like: "Like nodes in", "Comme les nœuds de";
    admin_count: "Count", "Nombre";
    admin_partition: "Change a partition", "Modifier une partition";
    admin_new_partition: "Add a partition", "Ajouter une partition";
    admin_tier: "Tier (PriorityTier)", "Niveau (PriorityTier)";
    admin_key: "Setting", "Réglage";
    admin_value: "Value", "Valeur";
    admin_reserve: "Create a reservation", "Créer une réservation";
    admin_unreserve: "Delete a reservation", "Supprimer une réservation";
    admin_users: "Users", "Utilisateurs";
    admin_flags: "Flags", "Options";
    admin_new_qos: "Add a QOS", "Ajouter une QOS";
    admin_qos: "Change a QOS", "Modifier une QOS";
    admin_allow_qos: "Allow a QOS for an account", "Autoriser une QOS à un compte";
    admin_limit: "Set shares or a limit", "Fixer les parts ou une limite";
    admin_new_account: "Add an account", "Ajouter un compte";
    admin_parent: "Parent", "Compte parent";
    admin_new_user: "Add a user to an account", "Ajouter un utilisateur à un compte";
    admin_preemption: "Change preemption", "Modifier la préemption";
    admin_setting: "Change a setting in slurm.conf", "Modifier un réglage de slurm.conf";
    nodes_field: "Nodes", "Nœuds";
    move_line: "Move this divider (arrow keys; double-click to reset)", "Déplacer ce séparateur (flèches ; double clic pour réinitialiser)";
    // The finder.
    finder: "Search", "Chercher";
    finder_hint: "Type a few letters, then Enter. Shortcuts work outside text fields; F1 works everywhere.",
        "Quelques lettres, puis Entrée. Les raccourcis agissent hors des champs de saisie ; F1 agit partout.";
    finder_keys: "All commands and shortcuts", "Toutes les commandes et leurs raccourcis";
    play_pause: "Resume or pause time", "Reprendre ou suspendre le temps";
    until_start_long: "Skip until one of my jobs starts", "Avancer jusqu’au début d’une de mes tâches";
    until_end_long: "Skip until one of my jobs ends", "Avancer jusqu’à la fin d’une de mes tâches";
    until_empty_long: "Skip until the queue is empty", "Avancer jusqu’à ce que la file soit vide";
    faster: "Faster", "Plus vite";
    slower: "Slower", "Moins vite";
    go_editor: "Go to the editor", "Aller à l’éditeur";
    go_terminal: "Go to the terminal", "Aller au terminal";
    go_cluster: "Go to the cluster", "Aller à la grappe";
    go_queue: "Show the queue", "Afficher la file d’attente";
    maximise: "Maximise or restore this panel", "Agrandir ou réduire ce panneau";
    way_out: "Press Esc, then Tab, to leave.", "Échap puis Tab pour sortir.";
    way_out_terminal: " Tab alone completes. F1 lists all commands, including screen reader mode.",
        " Tab seul complète. F1 donne toutes les commandes, dont le mode lecteur d’écran.";
    way_out_editor: " Tab alone indents. F1 lists all commands.", " Tab seul indente. F1 donne toutes les commandes.";
    too_much_output: "More output follows. Read it line by line.", "La suite est à lire ligne par ligne.";
    change_theme: "Light or dark theme", "Thème clair ou sombre";
    change_language: "Français", "English";
    // The tour.
    tour: "Tour", "Visite";
    tour_again: "Take the tour", "Faire la visite";
    tour_skip: "Skip the tour", "Passer la visite";
    tour_next: "Next", "Suivant";
    tour_done: "Start", "Commencer";
    tour_cluster: "This is the cluster", "Voici la grappe";
    tour_cluster_text: "Each tile is a node, each cell a core, each larger square a GPU. A cell has the colour of the job that uses it; yours are outlined.",
        "Chaque tuile est un nœud, chaque case un cœur, chaque grand carré un GPU. Les cases prennent la couleur de la tâche qui les occupe ; les vôtres sont encadrées.";
    tour_editor: "Write a script", "Écrivez un script";
    tour_editor_text: "A batch script says what you need (#SBATCH lines) and what to run. Submit saves it and runs sbatch; Compose writes one from a form.",
        "Un script indique les ressources voulues (lignes #SBATCH) et ce qu’il faut exécuter. Soumettre l’enregistre et lance sbatch ; Composer en écrit un à partir d’un formulaire.";
    tour_terminal: "Type as on a real cluster", "Travaillez comme sur une vraie grappe";
    tour_terminal_text: "A login node with bash and Slurm’s commands: squeue, sinfo, sbatch, scancel, sacct… Tab completes, man explains.",
        "Un nœud de connexion avec bash et les commandes de Slurm : squeue, sinfo, sbatch, scancel, sacct… Tab complète, man explique.";
    tour_queue: "See who waits, and why", "Voyez qui attend, et pourquoi";
    tour_queue_text: "Jobs of all users. Select one to see its history, its output and why it waits; the tabs show the scheduler’s view.",
        "Les tâches de tout le monde. Choisissez-en une pour voir son historique, sa sortie et pourquoi elle attend ; les onglets montrent le point de vue de l’ordonnanceur.";
    tour_time: "You control time", "Vous contrôlez le temps";
    tour_time_text: "Pause, speed up a thousandfold, or skip until your job starts. Nothing leaves your browser, and nothing can break.",
        "Mettez en pause, accélérez mille fois, ou avancez jusqu’au début de votre tâche. Rien ne quitte votre navigateur, et vous ne pouvez rien casser.";
    // The composer.
    compose: "Compose a job", "Composer une tâche";
    compose_short: "Compose", "Composer";
    kind_command: "One command", "Une commande";
    kind_threads: "A multithreaded program", "Un programme multithread";
    kind_mpi: "An MPI program", "Un programme MPI";
    kind_array: "One command for many inputs (array)", "Une commande pour beaucoup d’entrées (tableau)";
    kind_desktop: "A desktop (as in Open OnDemand)", "Un bureau (comme dans Open OnDemand)";
    command: "Command", "Commande";
    tasks: "Tasks", "Processus";
    cpus_each: "CPUs per task", "CPU par processus";
    gigabytes: "Memory (GB)", "Mémoire (Go)";
    gpus: "GPUs", "GPU";
    hours: "Hours", "Heures";
    minutes: "Minutes", "Minutes";
    // Links, and background jobs.
    share: "Copy a link to this moment", "Copier un lien vers cet instant";
    share_file: "Save this moment as a file", "Enregistrer cet instant dans un fichier";
    share_class: "Link for a class…", "Lien pour une classe…";
    shared_class: "Link copied.", "Lien copié.";
    shared: "Link copied. It opens the cluster at this moment:", "Lien copié. Il ouvre la grappe à cet instant :";
    share_by_hand: "This browser does not let the page copy. Here is the link:",
        "Ce navigateur ne laisse pas la page copier. Voici le lien :";
    class_away: " – No connection. Your actions are sent when it is back.", " – Connexion perdue. Vos actions seront envoyées à son retour.";
    class_waiting: "Waiting: {0}.", "En attente : {0}.";
    class_over: " – Disconnected.", " – Déconnecté.";
    class_here: "{0} of {1} participants are here", "{0} participants sur {1} sont présents";
    class_gone: "away", "absent";
    class_ended: "The connection to the class has ended.", "La connexion à la classe est terminée.";
    class_lost: "This tab can no longer follow the class. Reload the page to get everything again:",
        "Cet onglet ne peut plus suivre la classe. Rechargez la page pour tout récupérer :";
    class_differs: "The state of this tab differs from the others’. Reload the page. Input:",
        "L’état de cet onglet diffère de celui des autres. Rechargez la page. Saisie :";
    class_says: "The class’s server:", "Le serveur de la classe :";
    class_offline: "Too many actions are waiting for the connection.", "Trop d’actions attendent la connexion.";
    share_failed: "This moment cannot be shared as a link:", "Impossible de créer un lien vers cet instant :";
    link_failed: "The link could not be opened. This is a new cluster:", "Le lien n’a pas pu être ouvert. Voici une nouvelle grappe :";
    // Files that the user opens.
    files_open: "Open files…", "Ouvrir des fichiers…";
    files_failed: "These files cannot be read:", "Impossible de lire ces fichiers :";
    files_unknown: "No recognised files. A site has a slurm.conf, a lesson has front matter, moments and results are saved by this page:",
        "Aucun fichier reconnu. Un site a un slurm.conf, une leçon un en-tête ; cette page enregistre instants et résultats :";
    own_counts: "{0}: {1} nodes, {2} partitions, {3} users", "{0} : {1} nœuds, {2} partitions, {3} utilisateurs";
    own_errors: "Rejected by Slurm", "Refusé par Slurm";
    own_warnings: "Probably a mistake", "Sans doute une erreur";
    own_notes: "Accepted but not simulated, or assumed", "Accepté mais non simulé, ou supposé";
    own_open: "Open this cluster", "Ouvrir cette grappe";
    own_open_anyway: "Open it without these lines", "L’ouvrir sans ces lignes";
    own_not_kept: "This browser cannot store the site, so it cannot be opened:",
        "Ce navigateur ne peut pas conserver le site, qui ne peut donc pas être ouvert :";
    own_missing: "This site is not in this browser. Open its files again:", "Ce site n’est pas dans ce navigateur. Rouvrez ses fichiers :";
    own_yours: "{0} (yours)", "{0} (le vôtre)";
    // Teachers.
    projector: "Projector mode", "Mode vidéoprojecteur";
    results: "Participants’ results", "Résultats des participants";
    results_steps: "Steps", "Étapes";
    results_points: "Points", "Points";
    results_simulated: "Simulated time", "Temps simulé";
    results_real: "Real time", "Temps réel";
    results_seed: "Seed", "Graine";
    results_engine: "Version", "Version";
    // Lessons.
    lesson: "Lesson", "Leçon";
    lesson_points: "{0} of {1} points", "{0} points sur {1}";
    lesson_until: "until {0}", "jusqu’à {0}";
    lesson_back: "Back to this step", "Revenir à cette étape";
    lesson_from: "Start here", "Commencer ici";
    learn: "Learn", "Apprendre";
    lesson_failed: "The lesson could not be loaded:", "La leçon n’a pas pu être chargée :";
    lesson_all: "All lessons", "Toutes les leçons";
    lesson_steps: "{0} of {1} steps", "{0} étapes sur {1}";
    // The queue: the user's own jobs, states in words, columns.
    own_jobs: "Yours", "Vos tâches";
    other_jobs: "All jobs", "Toutes les tâches";
    own_all: "Show all {0}", "Afficher les {0}";
    elapsed: "Elapsed / limit", "Écoulé / max.";
    start: "Start", "Début";
    state_pending: "Pending", "En attente";
    state_running: "Running", "En cours";
    state_starting: "Starting", "Préparation";
    state_ending: "Completing", "Fin en cours";
    state_completed: "Completed", "Terminée";
    state_failed: "Failed", "Échouée";
    state_cancelled: "Cancelled", "Annulée";
    state_timeout: "Timed out", "Hors délai";
    state_memory: "Out of mem.", "Mém. dépass.";
    state_node: "Node failed", "Nœud perdu";
    state_boot: "Boot failed", "Nœud perdu";
    state_preempted: "Preempted", "Préemptée";
    state_suspended: "Suspended", "Suspendue";
    state_stopped: "Stopped", "Arrêtée";
    state_requeued: "Requeued", "Remise";
    state_held: "Held", "Retenue";
    state_deadline: "Deadline", "Échéance";
    state_launch: "Not started", "Non lancée";
    // The start screen.
    start_title: "A Slurm cluster in your browser", "Une grappe Slurm dans votre navigateur";
    start_about: "Write a batch script, submit it, watch the nodes fill up, and find out why a job is pending. It is a simulation: time is virtual, and nothing leaves this tab.",
        "Écrivez un script, soumettez-le, regardez les nœuds se remplir et comprenez pourquoi une tâche attend. C’est une simulation : le temps est virtuel, et rien ne quitte cet onglet.";
    start_skip: "Skip", "Passer";
    start_again: "Start screen", "Écran d’accueil";
    start_learn: "Short lessons, from the first job to fair share. Each one notices when a step is done.",
        "De courtes leçons, de la première tâche à la juste part. Chacune détecte les étapes terminées.";
    start_lesson: "Start with your first job", "Commencer par une première tâche";
    start_explore: "Explore", "Explorer";
    start_explore_text: "A cluster full of other people’s jobs. Submit your own, and see when and why it starts.",
        "Une grappe occupée par les tâches des autres. Soumettez la vôtre et voyez quand et pourquoi elle démarre.";
    start_alone: "Look around", "Regarder";
    start_teach: "Teach", "Enseigner";
    start_teach_text: "Give everyone the same cluster, and collect their results. Lessons are Markdown files, and any page can embed a cluster.",
        "Donnez à chacun la même grappe et recueillez les résultats. Les leçons sont des fichiers Markdown, et toute page peut intégrer une grappe.";
    start_administer: "Administer", "Administrer";
    start_administer_text: "Load your own slurm.conf, drain nodes, change limits, and see what the scheduler does.",
        "Chargez votre slurm.conf, retirez des nœuds, changez des limites et voyez ce que fait l’ordonnanceur.";
    start_conf: "Open a slurm.conf…", "Ouvrir un slurm.conf…";
    start_sites: "Clusters", "Grappes";
    start_facts: "{0} nodes, {1} cores", "{0} nœuds, {1} cœurs";
    start_gpus: ", {0} GPUs", ", {0} GPU";
    start_variants: "Variants:", "Variantes :";
    start_current: "open now", "ouverte";
    // The course.
    lessons_done: "{0} of {1} lessons done", "{0} leçons terminées sur {1}";
    lesson_number: "lesson {0} of {1}", "leçon {0} sur {1}";
    lesson_skip: "Skip {0}", "Avancer de {0}";
    busy_terminal: "The terminal is busy, so this was not typed. Wait for the prompt, press Ctrl-C, or open another terminal:",
        "Le terminal est occupé : ceci n’a pas été saisi. Attendez l’invite, faites Ctrl-C ou ouvrez un autre terminal :";
    // The keys below the terminal of a touch screen.
    key_bar: "Keys", "Touches";
    key_up: "Up", "Haut";
    key_down: "Down", "Bas";
    key_left: "Left", "Gauche";
    key_right: "Right", "Droite";
    // Skipping.
    idle_rest: "Nothing is going to happen: no job can start or end. Submit one, or choose a time to skip to.",
        "Il ne se passera rien : aucune tâche ne peut démarrer ni se terminer. Soumettez-en une, ou choisissez une heure.";
}
