//! Sentences about how jobs end, in French.

use super::{Exit, JobOutcome, OutcomeTexts, Refusal, hopeless, kib};
use crate::rich::{code, job as link};
use crate::states::job_code;
use crate::times::span;
use protocol::JobDetail;

/// French.
pub const FR: OutcomeTexts = OutcomeTexts { exit, outcome, refused };

fn exit(exit: Exit) -> String {
    match exit {
        Exit::Good => String::new(),
        Exit::Code(n) => format!("le code d’erreur propre au programme ({n})"),
        Exit::Usage => "une commande mal employée".to_owned(),
        Exit::NotExecutable => "un fichier qui n’est pas exécutable (126)".to_owned(),
        Exit::NotFound => "une commande introuvable (127)".to_owned(),
        Exit::Signal(n, "") => format!("un arrêt par le signal {n}"),
        Exit::Signal(n, name) => format!("un arrêt par le signal {n} ({name})"),
    }
}

fn outcome(outcome: &JobOutcome, job: &JobDetail) -> (String, String) {
    let ran = job.used.map(|u| span(u.elapsed, "j")).unwrap_or_default();
    let own = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
    match outcome {
        JobOutcome::Completed => (format!("Terminée en {ran}."), String::new()),
        JobOutcome::Failed(exit) => failed(*exit),
        JobOutcome::Timeout => (
            format!("Elle a atteint sa durée maximale ({}) et a été arrêtée.", span(job.limit_seconds, "j")),
            format!(
                "Demandez plus avec {}, dans la limite de la partition, ou repartez de points de reprise ({} la prévient \
                 à temps).",
                code("--time"),
                code("--signal")
            ),
        ),
        JobOutcome::OutOfMemory => {
            let given = job.used.map_or(0, |used| used.memory_most);
            let given = if given > 0 {
                format!("que ses {}", kib(given, ","))
            } else {
                "qu’elle n’en avait".to_owned()
            };
            (
                format!("Dépassement de mémoire : elle a utilisé plus {given}, et le système l’a tuée."),
                format!(
                    "Demandez-en plus avec {} ou {}. Arrêtée à sa limite, elle ne montre pas combien il lui en faut.",
                    code("--mem"),
                    code("--mem-per-cpu")
                ),
            )
        }
        JobOutcome::Cancelled if job.used.is_none() => cancelled(job, "avant son début"),
        JobOutcome::Cancelled => cancelled(job, &format!("après {ran}")),
        JobOutcome::Preempted => (
            format!("Elle a été préemptée par {}.", first(job)),
            format!(
                "Avec {}, elle revient d’elle-même dans la file là où {} vaut {} ; ailleurs, soumettez-la de nouveau. \
                 Des points de reprise évitent de perdre le travail fait.",
                code("--requeue"),
                code("PreemptMode"),
                code("REQUEUE")
            ),
        ),
        JobOutcome::Leaving => {
            let grace = job.pushed.as_ref().map_or(0, |p| p.grace);
            (
                format!("Elle est en cours de préemption par {}.", first(job)),
                format!(
                    "Les programmes lancés par {} ont reçu {} et disposent de {} pour enregistrer leur travail avant la fin de la tâche.",
                    code("srun"),
                    code("SIGTERM"),
                    span(i64::from(grace), "j")
                ),
            )
        }
        JobOutcome::NodeFail => (
            "Un de ses nœuds est tombé en panne.".to_owned(),
            format!(
                "La tâche n’y est pour rien : soumettez-la de nouveau, la prochaine fois avec {}.",
                code("--requeue")
            ),
        ),
        JobOutcome::BootFail => {
            own(("Ses nœuds n’ont pas démarré.", "Soumettez-la de nouveau, et prévenez les administrateurs."))
        }
        JobOutcome::Deadline => own((
            "Elle ne pouvait plus se terminer avant son échéance.",
            "Choisissez un --deadline plus tardif ou un --time plus court.",
        )),
        JobOutcome::Requeued => {
            let last = job.runs.last().map(|r| r.state.as_str()).unwrap_or_default();
            let why = match last {
                "PREEMPTED" => format!("elle a été préemptée par {}", first(job)),
                "NODE_FAIL" => "un nœud est tombé en panne".to_owned(),
                _ => "elle a été remise en file".to_owned(),
            };
            let rest = match job_code(&job.state) {
                "CG" => "Ses nœuds sont en cours de nettoyage. Elle attendra ensuite de nouveau son tour.",
                _ => "Elle repart du début, sauf si le script reprend à un point de reprise.",
            };
            (format!("Elle a déjà tourné : {why} ({}).", code(last)), rest.to_owned())
        }
    }
}

/// The preempting job, if it is known.
fn first(job: &JobDetail) -> String {
    match &job.pushed {
        Some(pushed) => format!("la tâche {}", link(&pushed.by)),
        None => "une autre tâche".to_owned(),
    }
}

fn cancelled(job: &JobDetail, when: &str) -> (String, String) {
    let by = if job.cancelled_by.is_empty() { String::new() } else { format!(" par {}", job.cancelled_by) };
    let never = if hopeless(job) { "Sa dépendance ne peut plus être satisfaite." } else { "" };
    (format!("Elle a été annulée{by} {when}."), never.to_owned())
}

fn failed(how: Exit) -> (String, String) {
    let advice = match how {
        Exit::Good => "Une étape a échoué mais le script a continué : voyez sa sortie.".to_owned(),
        Exit::Code(_) | Exit::Usage => {
            "Les dernières lignes de sa sortie, ci-dessous, en donnent souvent la cause.".to_owned()
        }
        Exit::NotExecutable => format!("Rendez-le exécutable : {}.", code("chmod +x FICHIER")),
        Exit::NotFound => format!(
            "Cherchez son nom dans la sortie : chargez d’abord son module ({}), ou donnez son chemin complet.",
            code("module load")
        ),
        Exit::Signal(9, _) => "Un utilisateur ou le système l’a tuée, souvent faute de mémoire.".to_owned(),
        Exit::Signal(53, _) => format!(
            "Elle n’a pas pu démarrer : son répertoire ou son fichier de sortie ne peut pas être ouvert sur le nœud ({}, {}).",
            code("--chdir"),
            code("--output")
        ),
        Exit::Signal(11 | 7 | 4, _) => {
            "Le programme lui-même a planté : un bogue, une pile trop petite ou une bibliothèque incompatible."
                .to_owned()
        }
        Exit::Signal(6, _) => "Le programme s’est interrompu lui-même ; ses messages disent pourquoi.".to_owned(),
        Exit::Signal(8, _) => "Une erreur arithmétique, par exemple une division par zéro.".to_owned(),
        Exit::Signal(_, _) => "Un signal lui a demandé de s’arrêter.".to_owned(),
    };
    let what = exit(how);
    (if what.is_empty() { "Elle a échoué.".to_owned() } else { format!("Elle a échoué : {what}.") }, advice)
}

const fn refused(why: Refusal) -> (&'static str, &'static str) {
    match why {
        Refusal::Partition => ("Cette partition n’existe pas.", "sinfo -s donne la liste des partitions."),
        Refusal::Account => (
            "Ce compte n’est pas le vôtre, ou n’a pas accès à cette partition.",
            "sacctmgr show assoc user=$USER format=account,partition,qos montre ce dont vous disposez.",
        ),
        Refusal::Qos => (
            "Cette QOS ne vous est pas ouverte.",
            "sacctmgr show assoc user=$USER format=account,qos montre les vôtres.",
        ),
        Refusal::Nodes => (
            "Aucun nœud de la partition ne peut satisfaire la demande, même vide.",
            "Demandez moins par nœud, ou une autre partition : sinfo -o '%P %D %c %m %G' montre les nœuds.",
        ),
        Refusal::Cpus => (
            "Aucun nœud n’a autant de CPU.",
            "Réduisez --cpus-per-task, ou répartissez avec --ntasks : sinfo -o '%P %c' montre les CPU.",
        ),
        Refusal::Memory => (
            "Aucun nœud n’a autant de mémoire.",
            "Demandez moins avec --mem : sinfo -o '%P %m' montre celle des nœuds, en Mo.",
        ),
        Refusal::Gres => (
            "Ce GPU (ou cette ressource) n’existe pas ici.",
            "Écrivez gpu:TYPE:NOMBRE avec un type qui existe : sinfo -o '%P %G' en donne la liste.",
        ),
        Refusal::Time => (
            "La durée demandée manque ou dépasse la limite.",
            "Demandez moins avec --time : sinfo -o '%P %l' montre les limites des partitions.",
        ),
        Refusal::Limit => (
            "Une limite de votre compte ou de la QOS l’interdit : nombre de tâches, taille ou durée.",
            "Attendez la fin d’autres tâches, ou demandez moins : sacctmgr show qos montre les limites.",
        ),
        Refusal::Dependency => {
            ("Elle dépend d’une tâche inconnue.", "Vérifiez son numéro : squeue --me donne vos tâches.")
        }
        Refusal::Reservation => (
            "Cette réservation n’existe pas, ou vous n’y avez pas accès.",
            "scontrol show reservation donne la liste.",
        ),
        Refusal::Group => {
            ("Cette partition est réservée à d’autres groupes.", "sinfo -s donne les partitions.")
        }
        Refusal::Feature => (
            "Aucun nœud n’a ces caractéristiques.",
            "sinfo -o '%P %f' donne celles que --constraint peut demander.",
        ),
        Refusal::NodeName => (
            "Ce nœud n’est pas dans cette partition, ou n’existe pas.",
            "sinfo -N donne les nœuds et leurs partitions.",
        ),
        Refusal::PartitionDown => (
            "Cette partition n’accepte pas de tâches en ce moment.",
            "sinfo -s montre lesquelles sont ouvertes.",
        ),
        Refusal::Array => (
            "Le tableau de tâches est mal écrit ou trop grand.",
            "Écrivez par exemple --array=1-100%10 (au plus 10 à la fois).",
        ),
        Refusal::Script => (
            "Ce n’est pas un script : sa première ligne doit commencer par #!.",
            "Commencez par #!/bin/bash, ou utilisez --wrap 'commande'.",
        ),
        Refusal::Option => {
            ("Cette option n’existe pas, ou il lui manque une valeur.", "sbatch --help en donne la liste.")
        }
        Refusal::NoFile => (
            "Ce fichier n’existe pas.",
            "ls liste les fichiers d’ici ; il est peut-être dans un autre répertoire.",
        ),
        Refusal::License => {
            ("Il n’y a pas assez de ces licences.", "scontrol show licenses en donne la liste.")
        }
        Refusal::Permission => {
            ("Vous n’en avez pas le droit.", "Seul son propriétaire ou un administrateur peut le faire.")
        }
        Refusal::Submitted => (
            "Vous, votre compte ou cette QOS avez atteint la limite de tâches soumises.",
            "Attendez que certaines se terminent, ou regroupez-en plusieurs en une : squeue --me montre les vôtres.",
        ),
        Refusal::Spent => (
            "Votre compte a trop consommé pour cette QOS.",
            "Prenez une autre QOS ou un autre compte, ou attendez que l’utilisation décroisse : sshare la montre.",
        ),
        Refusal::Full => (
            "La file d’attente est pleine pour tout le monde.",
            "Réessayez plus tard, ou soumettez un tableau au lieu de nombreuses tâches.",
        ),
        Refusal::Value => (
            "La valeur d’une option est mal écrite.",
            "L’erreur nomme l’option ; man sbatch décrit son format.",
        ),
        Refusal::Contradiction => (
            "Deux des options se contredisent.",
            "L’erreur indique les nombres en conflit : supprimez-en un ou changez-le.",
        ),
        Refusal::LineEnds => {
            ("Ce script a des fins de ligne Windows.", "Convertissez-les : sed -i 's/\\r$//' FICHIER.")
        }
        Refusal::Busy => (
            "Aucune ressource n’est libre pour elle, et elle ne doit pas attendre.",
            "Sans --immediate, elle attend son tour.",
        ),
        Refusal::Program => (
            "Ce programme est introuvable.",
            "Chargez d’abord son module (module load), ou donnez son chemin complet.",
        ),
        Refusal::Job => ("Cette tâche n’existe pas, ou est terminée.", "squeue --me montre les vôtres."),
        Refusal::Step => (
            "Une étape ne peut pas dépasser l’allocation de sa tâche.",
            "Demandez moins à srun, ou davantage à sbatch ou salloc.",
        ),
        Refusal::Cluster => {
            ("Cette grappe n’existe pas.", "sacctmgr show clusters donne celles qui existent.")
        }
        Refusal::Controller => ("Le contrôleur ne répond pas en ce moment.", "Réessayez dans un instant."),
        Refusal::NodeAway => (
            "Un nœud demandé est hors service, retiré du service ou réservé.",
            "sinfo -N -l dit pourquoi ; sans --nodelist, n’importe quel nœud convient.",
        ),
    }
}
