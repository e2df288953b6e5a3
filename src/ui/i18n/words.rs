//! The table of words: name, English, French. French terms are those of French-speaking sites.

use crate::view::times::{self, Calendar};

macro_rules! words {
    ($($name:ident: $en:literal, $fr:literal;)*) => {
        /// Every text of the page.
        #[allow(missing_docs)]
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
    theme: "Theme", "Thème";
    theme_auto: "Auto", "Auto";
    theme_light: "Light", "Clair";
    theme_dark: "Dark", "Sombre";
    language: "Language", "Langue";
    more: "More", "Plus";
    reset: "Start anew…", "Recommencer…";
    reset_ask: "Start this cluster anew? Its jobs and files are lost; what you have open in the editor stays.",
        "Recommencer à zéro ? Les tâches et les fichiers de cette grappe seront perdus ; le texte ouvert dans l’éditeur reste.";
    screen_reader: "Screen reader mode of the terminal", "Terminal pour lecteur d’écran";
    // The clock.
    clock: "Simulated time", "Temps simulé";
    play: "Go on", "Reprendre";
    pause: "Pause", "Pause";
    pace: "Pace", "Vitesse";
    next_event: "To the next event", "Jusqu’au prochain événement";
    skip_until: "Skip to…", "Aller à…";
    until_start: "a job of mine starts", "début d’une de mes tâches";
    until_end: "a job of mine ends", "fin d’une de mes tâches";
    until_empty: "the queue is empty", "file d’attente vide";
    stop: "Stop skipping", "Arrêter l’avance";
    held: "1× while you type", "1× pendant la saisie";
    paused: "paused", "en pause";
    skipping: "skipping ahead…", "avance rapide…";
    behind: "as fast as it can", "au plus vite";
    day: "d", "j";
    looking_back: "looking back", "retour en arrière";
    pace_1: "as time goes", "temps réel";
    pace_10: "ten seconds a second", "dix secondes par seconde";
    pace_60: "a minute a second", "une minute par seconde";
    pace_600: "ten minutes a second", "dix minutes par seconde";
    pace_3600: "an hour a second", "une heure par seconde";
    until_hour: "an hour has passed", "une heure plus tard";
    until_day: "a day has passed", "un jour plus tard";
    until_morning: "8:00 next morning", "8 h le lendemain matin";
    until_moment: "a moment of your choice…", "un moment à choisir…";
    until_go: "Go", "Aller";
    // The time line.
    time_line: "Time line", "Ligne du temps";
    travel_now: "Back to now", "Revenir au présent";
    travel_past: "This is the past:", "Ceci est le passé :";
    travel_hint: "type something, and another future begins here.", "saisissez une commande, et un autre futur commence ici.";
    branch: "Branch", "Branche";
    branches: "Branches", "Branches";
    branches_help: "Each began where somebody went back and did something else. The one that you live in is marked.",
        "Chacune est née d’un retour en arrière suivi d’autre chose. Celle où vous vivez est marquée.";
    branch_first: "as it began", "le début";
    branch_here: "you are here", "vous êtes ici";
    ago: "before now", "avant le présent";
    present: "now", "maintenant";
    failed: "failed", "échec";
    nobody_here: "Nobody was logged in here at that moment.", "Personne n’était connecté ici à ce moment-là.";
    // Zones.
    terminal: "Terminal", "Terminal";
    editor: "Editor", "Éditeur";
    cluster: "Cluster", "Grappe";
    queue: "Queue", "File d’attente";
    tab_queue: "Queue", "File";
    write: "Write", "Écrire";
    type_: "Type", "Saisir";
    see: "Nodes", "Nœuds";
    zones: "Zones of the page", "Zones de la page";
    // The timeline.
    timeline: "Timeline", "Chronologie";
    gantt_help: "Jobs against time. Arrow keys move, + and − zoom, 0 goes back to now.",
        "Tâches au fil du temps. Les flèches déplacent, + et − agrandissent ou réduisent, 0 revient au présent.";
    gantt_empty: "No job in this span of time: submit one, or choose a longer span.",
        "Aucune tâche dans cet intervalle : soumettez-en une, ou choisissez une période plus longue.";
    gantt_cut: "Not everything of this span is drawn: only the newest records are looked at.",
        "Tout n’est pas dessiné : seuls les enregistrements les plus récents sont lus.";
    gantt_by: "pushed out by {0}", "évincée par {0}";
    gantt_rows: "Rows", "Lignes";
    gantt_row: "Row", "Ligne";
    gantt_nodes: "Nodes", "Nœuds";
    gantt_jobs: "Jobs", "Tâches";
    gantt_span: "Span of time", "Durée affichée";
    gantt_table: "Table", "Tableau";
    zoom_in: "Zoom in", "Agrandir";
    zoom_out: "Zoom out", "Réduire";
    to_limit: "until its limit", "jusqu’à sa limite";
    planned: "planned", "prévue";
    preempted: "preempted", "préemptée";
    sent_back: "sent back", "remise en file";
    suspended: "suspended", "suspendue";
    completed: "completed", "terminée";
    many_jobs: "several jobs", "plusieurs tâches";
    // Several terminals.
    terminals: "Terminals", "Terminaux";
    new_terminal: "Another terminal, for…", "Un autre terminal, pour…";
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
    unsaved: "not saved yet", "non enregistré";
    no_files: "No files yet.", "Aucun fichier.";
    loading_editor: "The editor is coming…", "L’éditeur arrive…";
    pick_file: "Pick a file on the left, or write a new one.", "Choisissez un fichier à gauche, ou créez-en un.";
    editor_replace: "Write {0}", "Écrire {0}";
    editor_insert: "Insert {0}", "Insérer {0}";
    parent: "Up", "Dossier parent";
    // The cluster.
    density: "Detail", "Détail";
    density_auto: "auto", "auto";
    density_cells: "cells", "cellules";
    density_bars: "bars", "barres";
    density_blocks: "blocks", "blocs";
    find_node: "Find a node, state, job or user", "Chercher un nœud, un état, une tâche ou quelqu’un";
    found: "found", "trouvés";
    by_switch: "by switch", "par commutateur";
    legend: "Legend", "Légende";
    sign_heat: "cores in use, from none to all", "cœurs utilisés, d’aucun à tous";
    sign_mine: "your jobs have a frame", "vos tâches sont encadrées";
    sign_planned: "planned for a job", "prévu pour une tâche";
    sign_draining: "draining or drained", "en retrait ou retiré du service";
    sign_down: "down", "hors service";
    sign_reserved: "reserved", "réservé";
    sign_rising: "powering up", "en démarrage";
    sign_off: "powered down", "éteint";
    sign_suspended: "job suspended", "tâche suspendue";
    sign_completing: "job completing", "tâche en fin d’exécution";
    nodes: "nodes", "nœuds";
    node: "Node", "Nœud";
    cores: "cores", "cœurs";
    memory: "memory", "mémoire";
    of: "of", "sur";
    state: "State", "État";
    partition: "Partition", "Partition";
    default: "default", "par défaut";
    no_partition: "no partition", "sans partition";
    // The queue.
    all_users: "Everyone", "Toutes";
    mine: "Mine", "Mes tâches";
    ended_too: "ended ones too", "finies aussi";
    id: "Job", "Tâche";
    name: "Name", "Nom";
    owner: "User", "Utilisateur";
    time: "Time", "Temps";
    size: "Size", "Taille";
    place: "Nodes/why", "Où/motif";
    decimal: ".", ",";
    thousands: ",", "\u{202f}";
    percent: "%", "\u{202f}%";
    priority: "Priority", "Priorité";
    running: "running", "en cours";
    waiting: "waiting", "en attente";
    queue_empty: "Nobody has a job in the queue.", "Aucune tâche dans la file d’attente.";
    queue_none_mine: "You have no job in the queue.", "Aucune de vos tâches dans la file d’attente.";
    queue_none_such: "No such job in the queue.", "Aucune tâche de ce genre dans la file d’attente.";
    find: "Find", "Chercher";
    all_partitions: "All partitions", "Toutes partitions";
    all_states: "All states", "Tous états";
    group_arrays: "arrays in one row", "tableaux sur une ligne";
    columns: "Columns", "Colonnes";
    queue_teach: "This command puts one there:", "Cette commande en ajoute une :";
    type_it: "Type it for me", "La saisir pour moi";
    // Details.
    details: "Details", "Détails";
    close: "Close", "Fermer";
    cancel: "Cancel", "Annuler";
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
    wrote_nothing: "It wrote nothing.", "Elle n’a rien écrit.";
    script: "Script", "Script";
    features: "Features", "Caractéristiques";
    jobs_here: "Jobs here", "Tâches sur ce nœud";
    no_jobs_here: "No job here.", "Aucune tâche ici.";
    gone: "This job is no longer known to the controller; sacct still knows it.",
        "Le contrôleur ne connaît plus cette tâche ; sacct la connaît encore.";
    gone_kept: "The controller has forgotten this job some time after its end (MinJobAge). This is what accounting kept of it; its script is not there.",
        "Le contrôleur a oublié cette tâche quelque temps après sa fin (MinJobAge). Voici ce qu’en garde la comptabilité ; son script n’y est pas.";
    // Why it waits, what became of it.
    why: "Why is it waiting?", "Pourquoi attend-elle ?";
    why_asking: "The scheduler is being asked…", "Question posée à l’ordonnanceur…";
    why_nodes: "What the nodes say", "Ce que disent les nœuds";
    why_rests: "That start rests on", "Ce début repose sur";
    why_front: "Plans of jobs in front that keep free nodes", "Places prévues devant elle sur des nœuds libres";
    why_change: "It would start now with any one of", "Elle commencerait maintenant avec, au choix";
    why_joins: "It would join the queue with", "Elle rejoindrait la file avec";
    why_no_change: "No single change of its request would let it start now.",
        "Aucun changement à lui seul ne la ferait commencer maintenant.";
    why_not_tried: "No change of its request was tried: with {0} jobs ({1} at most) each attempt would take too long.",
        "Aucun changement n’a été essayé : avec {0} tâches ({1} au plus), chaque essai serait trop long.";
    why_trying: "Trying what would change it…", "Recherche de ce qui y changerait quelque chose…";
    became: "What became of it", "Ce qu’elle est devenue";
    again: "Once more, with more:", "Recommencer avec davantage :";
    put_back: "Put back", "Remise en file";
    efficiency: "Efficiency", "Efficacité";
    memory_peak: "Memory", "Mémoire";
    depends_on: "Depends on", "Dépend de";
    needed_by: "Others wait for it", "D’autres l’attendent";
    dep_waits: "not yet", "pas encore";
    dep_holds: "done", "c’est fait";
    dep_never: "never any more", "plus jamais";
    array: "Array", "Tableau";
    over: "over", "terminées";
    requeue: "Requeue", "Remettre en file";
    shell: "Shell on its node", "Shell";
    top: "To the top", "En tête";
    refused: "Why this was refused", "Pourquoi ce refus";
    show_nodes: "Show the first of these nodes", "Montrer le premier de ces nœuds";
    // First steps.
    steps: "Your first job", "Votre première tâche";
    step_submit: "Submit the script", "Soumettre le script";
    step_watch: "Watch it run", "La suivre";
    step_read: "Read its output", "Lire sa sortie";
    step_done: "That was a batch job from start to end.", "Voilà une tâche du début à la fin.";
    step_wait: "a core fills in the cluster above", "un cœur se remplit dans la grappe";
    dismiss: "Hide", "Masquer";
    // Notices.
    notices: "Notices", "Avis";
    starting: "The cluster is starting…", "La grappe démarre…";
    engine_restarted: "The simulation failed and was started again without the last input:",
        "La simulation a échoué et a redémarré sans la dernière saisie :";
    engine_anew: "The simulation failed and started anew; what it had saved can be downloaded.",
        "La simulation a échoué et a recommencé à zéro ; ce qu’elle avait enregistré peut être téléchargé.";
    engine_hangs: "The simulation has not answered for 15 s.", "La simulation ne répond plus depuis 15 s.";
    engine_stopped: "The simulation cannot be started: load the page again, or start anew.",
        "La simulation ne démarre pas : rechargez la page ou recommencez à zéro.";
    restart: "Restart it", "La redémarrer";
    download: "Download the journal", "Télécharger le journal";
    storage_off: "This browser keeps nothing for us (storage is full or forbidden): a reload starts anew.",
        "Ce navigateur ne garde rien pour nous (stockage plein ou interdit) : un rechargement recommence à zéro.";
    other_tab: "This session is open in another tab. Here is a copy of it: what you do in it is not kept.",
        "Cette session est ouverte dans un autre onglet. En voici une copie : ce que vous y faites n’est pas conservé.";
    saved_unreadable: "The saved session could not be read, so a new one was started:",
        "La session enregistrée est illisible, une nouvelle a donc commencé :";
    set_aside: "An input made the simulation fail and is left out from now on:",
        "Une saisie faisait échouer la simulation et est désormais ignorée :";
    idle_start: "None of your jobs waits to start.", "Aucune de vos tâches n’attend de démarrer.";
    idle_end: "You have no job in the queue that could end.", "Vous n’avez dans la file aucune tâche qui puisse se terminer.";
    idle_empty: "The queue is empty already.", "La file d’attente est déjà vide.";
    idle_past: "This moment is past: drag the time line to see it.", "Ce moment est passé : faites glisser la ligne de temps pour le voir.";
    idle_far: "Nothing of the kind happened within 30 days.", "Rien de tel ne s’est produit en 30 jours.";
    bound: "A bound was hit:", "Une limite a été atteinte :";
    site_trouble: "The site’s files could not be used:", "Les fichiers du site sont inutilisables :";
    site_fetch: "The site’s files could not be loaded:", "Les fichiers du site n’ont pas pu être chargés :";
    save_failed: "Not saved:", "Non enregistré :";
    open_failed: "Could not be opened:", "Impossible d’ouvrir :";
    // Panels.
    panels: "Panels", "Panneaux";
    priority_basic: "This cluster starts jobs in the order of their submission (priority/basic): there is nothing to weigh.",
        "Cette grappe lance les tâches dans l’ordre de leur soumission (priority/basic) : rien n’est pondéré.";
    priority_empty: "No job waits for its turn. Jobs that wait show here what their priority is made of.",
        "Aucune tâche n’attend son tour. Ici, les tâches en attente montrent de quoi leur priorité est faite.";
    part_age: "age", "âge";
    part_assoc: "association", "association";
    part_fairshare: "fair share", "juste part";
    part_size: "job size", "taille";
    part_site: "site", "site";
    save_picture: "Save this picture", "Enregistrer cette image";
    save_svg: "Save the picture as SVG", "Enregistrer l’image en SVG";
    save_png: "Save the picture as PNG", "Enregistrer l’image en PNG";
    save_csv: "Save its data as CSV", "Enregistrer les données en CSV";
    type_as_root: "Type it as root", "La saisir en tant que root";
    the_command: "The command for it:", "La commande correspondante :";
    shares: "Fair share", "Juste part";
    shares_tree: "Tree", "Arbre";
    shares_table: "sshare -l", "sshare -l";
    shares_decay: "Half-life", "Demi-vie";
    shares_ranking: "Ranking", "Classement";
    shares_basic: "This cluster starts jobs in the order of their submission (priority/basic), so nobody’s past use matters. With these two lines in slurm.conf it would, and slurmctld works out the tree of shares:",
        "Cette grappe lance les tâches dans l’ordre de leur soumission (priority/basic) : l’utilisation passée ne compte pas. Avec ces deux lignes dans slurm.conf elle compterait, et slurmctld calculerait l’arbre des parts :";
    shares_weightless: "Worked out, but it counts for nothing: PriorityWeightFairshare is 0.",
        "Calculée, mais sans effet : PriorityWeightFairshare vaut 0.";
    shares_unused: "Nobody has used anything yet, so everyone shares the first rank. Run a few jobs; usage is counted every {0}.",
        "Personne n’a encore rien utilisé : tout le monde partage le premier rang. Lancez quelques tâches ; l’utilisation est comptée toutes les {0}.";
    shares_how: "Width: shares within the level. Filled: usage; up to the dashed line is what the shares promise. Number: LevelFS, the higher goes first. Choose two people to see where the tree decides between them.",
        "Largeur : les parts au sein du niveau. Remplissage : l’utilisation ; le trait pointillé marque ce que les parts promettent. Nombre : LevelFS, le plus grand passe devant. Choisissez deux personnes pour voir où l’arbre les départage.";
    shares_how_classic: "Width: shares. Filled: usage; up to the dashed line is what the shares promise. Number: the fair-share factor 2^(−usage/shares), one for each person (classic fair share). Choose two people to compare them.",
        "Largeur : les parts. Remplissage : l’utilisation ; le trait pointillé marque ce que les parts promettent. Nombre : le facteur 2^(−utilisation/parts), propre à chacun (juste part classique). Choisissez deux personnes pour les comparer.";
    shares_verdict: "{0} goes before {1}. Their first common ancestor is {2}; there, LevelFS is {4} for {3} against {6} for {5}.",
        "{0} passe devant {1}. Leur premier ancêtre commun est {2} ; à ce niveau, LevelFS vaut {4} pour {3} contre {6} pour {5}.";
    shares_whole: "So everyone below {0} goes before everyone below {1}.",
        "Tous ceux de {0} passent donc devant tous ceux de {1}.";
    shares_tied: "{0} and {1} are even there: below {2}, {3} and {5} have the same LevelFS, {4}.",
        "{0} et {1} y sont à égalité : sous {2}, {3} et {5} ont le même LevelFS, {4}.";
    shares_numbers: "{0} goes before {1}: no level decides here, each has a factor of their own, {2} against {3}.",
        "{0} passe devant {1} : aucun niveau ne décide ici, chacun a son propre facteur, {2} contre {3}.";
    shares_even: "{0} and {1} have the same factor, {2}.", "{0} et {1} ont le même facteur, {2}.";
    shares_change: "Give", "Donner à";
    shares_to: "shares", "parts";
    shares_soon: "Shares count at once, ranks from the next calculation on (every {0}).",
        "Les parts comptent aussitôt, les rangs au prochain calcul (toutes les {0}).";
    shares_cut: "The first {0} of {1} associations.", "Les {0} premières associations sur {1}.";
    shares_preview: "The ranking as it would be; nothing has been changed yet.",
        "Le classement tel qu’il serait ; rien n’est encore changé.";
    shares_preview_decay: "The ranking as if usage had been forgotten at this pace from the beginning; nothing has been changed yet.",
        "Le classement comme si l’utilisation s’était oubliée à ce rythme depuis le début ; rien n’est encore changé.";
    shares_as_is: "Show it as it is", "Revenir à l’état actuel";
    decay_half: "Half-life of usage", "Demi-vie de l’utilisation";
    decay_never: "never forgotten", "jamais oubliée";
    decay_says: "What is used now counts half as much after {0}, a quarter after {1}.",
        "Ce qui est utilisé maintenant compte moitié moins après {0}, un quart après {1}.";
    decay_none: "Usage is never forgotten here (PriorityDecayHalfLife=0); it may be reset by PriorityUsageResetPeriod.",
        "L’utilisation n’est jamais oubliée ici (PriorityDecayHalfLife=0) ; PriorityUsageResetPeriod peut la remettre à zéro.";
    decay_now: "now", "maintenant";
    priority_teach: "With lines such as these in slurm.conf, priorities are weighed:",
        "Avec des lignes comme celles-ci dans slurm.conf, les priorités sont pondérées :";
    priority_all_tried: "Every pass tries all of them: {0} (default_queue_depth={1}, backfill bf_max_job_test={2}).",
        "Chaque passe les essaie toutes ({0} ; default_queue_depth={1}, remplissage bf_max_job_test={2}).";
    priority_some_tried: "Of {0} in the queue a pass tries the first {1} when something happens (default_queue_depth), backfill looks at {2} (bf_max_job_test).",
        "Sur {0} dans la file, une passe essaie les {1} premières à chaque événement (default_queue_depth), le remplissage en regarde {2} (bf_max_job_test).";
    priority_preview: "This is the order as it would be with the weights below; nothing has been changed yet.",
        "Voici l’ordre tel qu’il serait avec les poids ci-dessous ; rien n’est encore changé.";
    priority_line: "Up to here they are tried in a pass", "Jusqu’ici, essayées dans une passe";
    priority_fixed: "fixed by an administrator", "fixée par un administrateur";
    priority_held: "Held, so no pass tries them:", "Retenues, aucune passe ne les essaie :";
    held_admin: "by an administrator", "par un administrateur";
    priority_more: "The first {0} of {1}.", "Les {0} premières sur {1}.";
    priority_tier: "PriorityTier {0}: tried before lower tiers, whatever the priority",
        "PriorityTier {0} : essayées avant les niveaux inférieurs, quelle que soit la priorité";
    priority_point: "Choose or point at a job to see its formula.", "Choisissez ou survolez une tâche pour voir sa formule.";
    weights: "Change the weights", "Changer les poids";
    weights_hint: "Change a weight to get the command for it. Priorities follow at the next calculation (PriorityCalcPeriod).",
        "Changez un poids pour obtenir la commande. Les priorités suivent au prochain calcul (PriorityCalcPeriod).";
    graph: "Dependencies", "Dépendances";
    graph_empty: "No job waits for another one, and there is no array. This line makes a chain of three, with an array in its middle:",
        "Aucune tâche n’en attend une autre, et il n’y a pas de tableau de tâches. Cette ligne crée une chaîne de trois, avec un tableau au milieu :";
    graph_cut: "There are more dependencies than are drawn here: the newest ones.",
        "Il y a plus de dépendances que n’en montre ce dessin : les plus récentes.";
    graph_list: "As a list", "En liste";
    graph_tasks: "Tasks of the array", "Éléments du tableau de tâches";
    edge_satisfied: "holds", "satisfaite";
    edge_waits: "not yet", "en attente";
    edge_never: "never will", "impossible";
    edge_says_satisfied: "{0}: {1} of {2} holds.", "{0} : {1} de {2} est satisfaite.";
    edge_says_waits: "{0} waits for {1} of {2}.", "{0} attend {1} de {2}.";
    edge_says_never: "{0} can never start: {1} of {2} cannot come true any more.",
        "{0} ne démarrera jamais : {1} de {2} ne peut plus se réaliser.";
    graph_array: "Array", "Tableau de tâches";
    array_counts: "{0} tasks: {1} pending, {2} running, {3} over.", "{0} éléments : {1} en attente, {2} en cours, {3} terminés.";
    array_throttle: "At most {0} at a time.", "Au plus {0} à la fois.";
    charts: "Charts", "Courbes";
    charts_span: "Time shown", "Période affichée";
    charts_all: "everything", "tout";
    charts_cut: "Worked out from the newest 20,000 records of slurmdbd; older ones may reach into this time.",
        "Calculé sur les 20 000 enregistrements les plus récents de slurmdbd ; de plus anciens peuvent déborder sur cette période.";
    charts_empty: "Nothing has run in this time. As soon as jobs run, the curves rise, and here stands how long they waited and who used what.",
        "Rien n’a tourné pendant cette période. Dès que des tâches tournent, les courbes montent, et l’on voit ici leur attente et qui a utilisé quoi.";
    chart_use: "Use", "Occupation";
    chart_jobs: "Jobs", "Tâches";
    chart_turnover: "Starts and ends", "Débuts et fins";
    chart_starts: "starts", "débuts";
    chart_ends: "ends", "fins";
    chart_waits: "Wait of jobs that started, by partition", "Attente des tâches démarrées, par partition";
    wait_median: "half within", "la moitié en";
    wait_ninth: "9 of 10 within", "9 sur 10 en";
    wait_longest: "longest", "maximum";
    jobs_count: "Jobs", "Tâches";
    used_by_user: "By user", "Par utilisateur";
    used_by_account: "By account", "Par compte";
    cpu_hours: "CPU h", "h CPU";
    gpu_hours: "GPU h", "h GPU";
    accounting: "Accounting", "Comptabilité";
    account_filter: "User, account, state, name…", "Utilisateur, compte, état, nom…";
    account_found: "{0} of {1} that match", "{0} sur {1} correspondantes";
    account_none: "No job has ended yet. Each one that does gets its line here, as sacct prints it.",
        "Aucune tâche ne s’est encore terminée. Chacune aura ici sa ligne, telle que sacct l’affiche.";
    account_empty: "No job that has ended matches.", "Aucune tâche terminée ne correspond.";
    preempt: "Preemption", "Préemption";
    preempt_safe: "Jobs are safe for their first {0}.", "Une tâche est à l’abri pendant {0} après son début.";
    preempt_change: "Change it in Administration", "La changer dans Administration";
    preempt_off: "Nobody is pushed out on this cluster. With such lines in slurm.conf, jobs of one partition make way for those of another:",
        "Personne n’est évincé sur cette grappe. Avec de telles lignes dans slurm.conf, les tâches d’une partition cèdent la place à celles d’une autre :";
    preempt_none: "No job had to make way so far. When one does, it stands here with who took its place, and what became of both.",
        "Aucune tâche n’a dû céder sa place jusqu’ici. Si cela arrive, elle figure ici avec celle qui l’a évincée, et ce que toutes deux sont devenues.";
    preempt_pushed: "took the place of", "a pris la place de";
    preempt_requeue: "It went back to the queue:", "Remise en file :";
    preempt_suspend: "It was paused:", "Mise en pause :";
    preempt_cancel: "It was ended:", "Interrompue :";
    preempt_grace: "(grace time {0})", "(délai de grâce {0})";
    preempt_waits: "It waits for its turn again.", "Elle attend de nouveau son tour.";
    preempt_paused: "It is still paused.", "Elle est encore en pause.";
    preempt_again: "It runs again since {0}.", "Elle tourne de nouveau depuis {0}.";
    preempt_runs: "It runs.", "Elle tourne.";
    preempt_ends: "It has to end:", "Elle doit s’arrêter :";
    preempt_until: "It has until {0}.", "Elle a jusqu’à {0}.";
    preempt_ended: "It has ended: {0}.", "Elle est terminée : {0}.";
    preempt_forgotten: "The controller has forgotten it; sacct knows how it ended.",
        "Le contrôleur l’a oubliée ; sacct sait comment elle s’est terminée.";
    // The administrator.
    admin: "Administration", "Administration";
    tab_admin: "Admin", "Admin";
    admin_standing: "How it stands now", "État actuel";
    admin_none: "There are none.", "Il n’y en a aucune.";
    admin_partitions: "Partitions", "Partitions";
    admin_reservations: "Reservations", "Réservations";
    admin_accounts: "Accounts", "Comptes";
    admin_settings: "Settings", "Réglages";
    admin_incomplete: "Fill in every field to get the command for it.", "Remplissez tous les champs pour obtenir la commande.";
    admin_node_state: "Take nodes out of service, or put them back", "Retirer des nœuds du service, ou les y remettre";
    admin_node_power: "Let a node fail: cut its power, or give it back", "Faire tomber un nœud : couper son alimentation, ou la rétablir";
    admin_power: "Power", "Alimentation";
    admin_add_nodes: "Add nodes", "Ajouter des nœuds";
    admin_like: "Like those of", "Semblables à ceux de";
    admin_count: "How many", "Combien";
    admin_partition: "Change a partition", "Modifier une partition";
    admin_new_partition: "Add a partition", "Ajouter une partition";
    admin_tier: "Tier (PriorityTier)", "Niveau (PriorityTier)";
    admin_key: "Setting", "Réglage";
    admin_value: "Value", "Valeur";
    admin_reserve: "Make a reservation", "Créer une réservation";
    admin_unreserve: "Delete a reservation", "Supprimer une réservation";
    admin_users: "For", "Pour";
    admin_flags: "Flags", "Options";
    admin_new_qos: "Add a QOS", "Ajouter une QOS";
    admin_qos: "Change a QOS", "Modifier une QOS";
    admin_allow_qos: "Let an account use a QOS", "Autoriser une QOS à un compte";
    admin_limit: "Set shares or a limit", "Fixer les parts ou une limite";
    admin_new_account: "Add an account", "Ajouter un compte";
    admin_parent: "Below", "Sous";
    admin_new_user: "Put a user into an account", "Rattacher quelqu’un à un compte";
    admin_preemption: "Change preemption", "Changer la préemption";
    admin_setting: "Change a setting of slurm.conf", "Changer un réglage de slurm.conf";
    nodes_field: "Nodes", "Nœuds";
    move_line: "Move this line (arrow keys, double-click to reset)", "Déplacer cette ligne (flèches, double clic pour revenir)";
    // The finder.
    finder: "Commands", "Commandes";
    finder_hint: "A few letters, then Enter. The keys work wherever nobody types; F1 works everywhere.",
        "Quelques lettres, puis Entrée. Les touches agissent là où l’on ne saisit rien ; F1 agit partout.";
    finder_keys: "All commands and their keys", "Toutes les commandes et leurs touches";
    play_pause: "Let time run, or stop it", "Lancer ou arrêter le temps";
    until_start_long: "Skip until a job of mine starts", "Avancer jusqu’au début d’une de mes tâches";
    until_end_long: "Skip until a job of mine ends", "Avancer jusqu’à la fin d’une de mes tâches";
    until_empty_long: "Skip until the queue is empty", "Avancer jusqu’à ce que la file soit vide";
    faster: "Faster", "Plus vite";
    slower: "Slower", "Moins vite";
    go_editor: "Go to the editor", "Aller à l’éditeur";
    go_terminal: "Go to the terminal", "Aller au terminal";
    go_cluster: "Go to the cluster", "Aller à la grappe";
    go_queue: "Show the queue", "Afficher la file d’attente";
    maximise: "Give this part the whole page, or take it back", "Agrandir cette zone, ou la réduire";
    way_out: "Esc, then Tab, leads out.", "Échap puis Tab pour sortir.";
    way_out_terminal: " Tab alone completes. F1 lists all commands, the screen reader mode among them.",
        " Tab seul complète. F1 donne toutes les commandes, dont le mode pour lecteur d’écran.";
    way_out_editor: " Tab alone indents. F1 lists all commands.", " Tab seul indente. F1 donne toutes les commandes.";
    too_much_output: "There is more. Read it row by row.", "Il y a une suite, à lire ligne par ligne.";
    change_theme: "Light or dark", "Clair ou sombre";
    change_language: "Français", "English";
    // The tour.
    tour: "Tour", "Visite";
    tour_again: "Take the tour", "Faire la visite";
    tour_skip: "Skip the tour", "Passer la visite";
    tour_next: "Next", "Suivant";
    tour_done: "Start", "Commencer";
    tour_cluster: "This is the cluster", "Voici la grappe";
    tour_cluster_text: "Each tile is a node, each cell a core, each larger square a GPU. Cells take the colour of the job that has them; yours are outlined.",
        "Chaque tuile est un nœud, chaque case un cœur, chaque grand carré un GPU. Les cases prennent la couleur de la tâche qui les occupe ; les vôtres sont encadrées.";
    tour_editor: "Write a script", "Écrivez un script";
    tour_editor_text: "A batch script says what you need (#SBATCH lines) and what to run. Submit saves it and runs sbatch; Compose writes one from a form.",
        "Un script dit ce qu’il vous faut (lignes #SBATCH) et ce qu’il faut lancer. Soumettre l’enregistre et lance sbatch ; Composer en écrit un à partir d’un formulaire.";
    tour_terminal: "Type as on a real cluster", "Saisissez comme sur une vraie grappe";
    tour_terminal_text: "A login node with bash and Slurm’s commands: squeue, sinfo, sbatch, scancel, sacct… Tab completes, man explains.",
        "Un nœud de connexion avec bash et les commandes de Slurm : squeue, sinfo, sbatch, scancel, sacct… Tab complète, man explique.";
    tour_queue: "See who waits, and why", "Voyez qui attend, et pourquoi";
    tour_queue_text: "Everybody’s jobs. Choose one to see its life, its output and what it waits for; the tabs show the scheduler’s view.",
        "Les tâches de tout le monde. Choisissez-en une pour voir sa vie, sa sortie et ce qu’elle attend ; les onglets montrent le point de vue de l’ordonnanceur.";
    tour_time: "Time is yours", "Le temps vous appartient";
    tour_time_text: "Pause, go a thousand times faster, or skip until your job starts. Nothing leaves your browser, and nothing can break.",
        "Mettez en pause, accélérez mille fois, ou avancez jusqu’au début de votre tâche. Rien ne quitte votre navigateur, et rien ne peut casser.";
    // The composer.
    compose: "Compose a job", "Composer une tâche";
    compose_short: "Compose", "Composer";
    compose_write: "Put it into the editor", "Le mettre dans l’éditeur";
    kind: "What to run", "Que lancer";
    kind_command: "One command", "Une commande";
    kind_threads: "A program with threads", "Un programme à plusieurs fils";
    kind_mpi: "An MPI program", "Un programme MPI";
    kind_array: "The same for many inputs (array)", "La même chose pour beaucoup d’entrées (tableau)";
    kind_desktop: "A Desktop (as Open OnDemand starts one)", "Un Desktop (comme Open OnDemand en lance)";
    command: "Command", "Commande";
    tasks: "Tasks", "Processus";
    cpus_each: "CPUs for each task", "CPU par processus";
    gigabytes: "Memory (GB)", "Mémoire (Go)";
    gpus: "GPUs", "GPU";
    hours: "Hours", "Heures";
    minutes: "Minutes", "Minutes";
    // Links, and other people's work.
    share: "Copy a link to this moment", "Copier un lien vers cet instant";
    share_file: "Save this moment as a file", "Enregistrer cet instant dans un fichier";
    share_class: "Copy a link for a class", "Copier un lien pour une classe";
    shared_class: "Copied: whoever opens this begins with the same cluster, the same people and the same dice:", "Copié : qui ouvre ce lien commence avec la même grappe, les mêmes gens et les mêmes tirages :";
    shared: "A link to this moment is copied; whoever opens it goes on from here:", "Un lien vers cet instant est copié ; qui l’ouvre continue d’ici :";
    share_by_hand: "This browser does not let the page copy anything; this is the link:", "Ce navigateur ne laisse pas la page copier ; voici le lien :";
    share_failed: "This moment cannot be a link:", "Cet instant ne peut pas devenir un lien :";
    link_failed: "The link cannot be opened; this is a fresh cluster:", "Le lien ne peut pas être ouvert ; voici une grappe neuve :";
    background: "Other people’s work (starts anew)", "Travail des autres (recommence)";
    background_off: "none", "aucun";
    background_quiet: "quiet", "calme";
    background_normal: "an ordinary day", "un jour ordinaire";
    background_busy: "busy", "chargé";
    background_overloaded: "overloaded", "surchargé";
    // What somebody brings as files.
    files_open: "Open files…", "Ouvrir des fichiers…";
    files_failed: "These files cannot be read:", "Ces fichiers ne peuvent pas être lus :";
    files_unknown: "Nothing here is known: a site has a slurm.conf, a lesson a front matter, a moment or results are files from this page:", "Rien de connu ici : un site a un slurm.conf, une leçon un en-tête, un instant ou des résultats sont des fichiers de cette page :";
    own_title: "A site of your own", "Votre propre site";
    own_choose: "Your own…", "Le vôtre…";
    own_about: "A cluster from its configuration: slurm.conf, with gres.conf, topology.conf, cgroup.conf, included files, and a file of “sacctmgr dump” for people and accounts. They are read in this tab and sent nowhere.",
        "Une grappe d’après sa configuration : slurm.conf, avec gres.conf, topology.conf, cgroup.conf, les fichiers inclus et un fichier de « sacctmgr dump » pour les gens et les comptes. Tout est lu dans cet onglet et n’est envoyé nulle part.";
    own_drop: "Drop files or a folder here, or anywhere on the page: also lessons, saved moments, results.", "Déposez ici, ou n’importe où sur la page, des fichiers ou un dossier : aussi des leçons, des instants enregistrés, des résultats.";
    own_files: "Files…", "Fichiers…";
    own_folder: "A folder…", "Un dossier…";
    own_forget: "Forget", "Oublier";
    own_reading: "Reading…", "Lecture…";
    own_counts: "{0}: {1} nodes, {2} partitions, {3} people", "{0} : {1} nœuds, {2} partitions, {3} personnes";
    own_read: "Read:", "Lus :";
    own_made_up: "Made up, since no file tells it:", "Inventés, faute de fichier :";
    own_refused: "slurmctld would not start with these files. Nothing was opened.", "slurmctld ne démarrerait pas avec ces fichiers. Rien n’a été ouvert.";
    own_findings: "What was found in the files", "Ce qui a été trouvé dans les fichiers";
    own_errors: "Real Slurm refuses", "Slurm refuse";
    own_warnings: "Probably not meant so", "Sans doute involontaire";
    own_notes: "Taken but not simulated, or made up", "Accepté mais non simulé, ou inventé";
    own_open: "Open this cluster", "Ouvrir cette grappe";
    own_open_anyway: "Open it without these lines", "L’ouvrir sans ces lignes";
    own_other: "Other files", "D’autres fichiers";
    own_not_kept: "This browser cannot keep the site, so it cannot be opened:", "Ce navigateur ne peut pas garder le site, qui ne peut donc pas être ouvert :";
    own_missing: "This site is not in this browser; bring its files again:", "Ce site n’est pas dans ce navigateur ; apportez ses fichiers de nouveau :";
    own_yours: "{0} (yours)", "{0} (le vôtre)";
    // Teachers.
    projector: "For a projector", "Pour un projecteur";
    results: "Participants’ results", "Résultats des participants";
    results_about: "Drop the participants’ files here. Everything stays in this tab.", "Déposez ici les fichiers des participants. Tout reste dans cet onglet.";
    results_steps: "Steps", "Étapes";
    results_points: "Points", "Points";
    results_simulated: "Simulated time", "Temps simulé";
    results_real: "Real time", "Temps réel";
    results_seed: "Seed", "Graine";
    results_engine: "Version", "Version";
    results_changed: "changed since", "modifié depuis";
    results_look: "Look at it", "Regarder";
    results_mine: "For your teacher", "Pour votre enseignant";
    results_save: "Save my results", "Enregistrer mes résultats";
    results_name: "Your name", "Votre nom";
    // Lessons.
    lesson: "Lesson", "Leçon";
    lesson_points: "{0} of {1} points", "{0} points sur {1}";
    lesson_until: "until {0}", "jusqu’à {0}";
    lesson_over: "Time is up. Begin again as often as you like.", "Le temps est écoulé. Recommencez autant de fois que vous voulez.";
    lesson_back: "Back to this step", "Revenir à cette étape";
    lesson_from: "Begin here", "Commencer ici";
    learn: "Learn", "Apprendre";
    lessons_about: "Each lesson is done on a cluster of its own, and notices by itself when a step is done. Take your time: the clock waits.",
        "Chaque leçon a sa propre grappe et remarque d’elle-même qu’une étape est faite. Prenez votre temps : l’horloge attend.";
    lesson_none: "No lessons came with this page.", "Cette page est venue sans leçons.";
    lesson_file: "A lesson of yours:", "Une leçon à vous :";
    lesson_address: "or its address:", "ou son adresse :";
    lesson_failed: "The lesson cannot be loaded:", "La leçon n’a pas pu être chargée :";
    lesson_broken: "This lesson has mistakes; it can be read, not done:", "Cette leçon contient des erreurs ; on peut la lire, pas la suivre :";
    lesson_all: "All lessons", "Toutes les leçons";
    lesson_again: "Begin again", "Recommencer";
    lesson_steps: "{0} of {1} steps", "{0} étapes sur {1}";
    lesson_hint: "Hint", "Indice";
    lesson_solution: "Solution", "Solution";
    lesson_solve: "Type it", "La saisir";
    lesson_done: "All steps are done.", "Toutes les étapes sont faites.";
    // Foot.
    about: "A simulation of Slurm 26.05, not Slurm. Not affiliated with SchedMD.",
        "Une simulation de Slurm 26.05, pas Slurm. Sans lien avec SchedMD.";
    licences: "Licences", "Licences";
}
