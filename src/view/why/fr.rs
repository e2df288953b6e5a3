//! Why a job is pending, in French.

use super::{
    LimitScope, Nouns, Voice, amount, ids, is_infeasible, named, said_before, scope, spenders, thousandths,
};
use crate::rich::code;
use crate::times::{self, span};
use base::time::{Limit, Time};
use protocol::why::{
    Assumption, BackfillVerdict, Blocker, BudgetRecovery, Eligibility, ExpectedStart, JobRef,
    LicenseShortage, LimitOwner, NodeResource, NodeVerdict, PartitionVerdict, ReachedLimit, Remedy,
    RequestChange, RequestSummary, ReservationAhead, StartingPass, Verdict,
};

/// French.
pub const FR: Voice = Voice { sentence, cause, assumption, in_front, change };

const DAY: &str = "j";

fn moment(at: Time, now: Time) -> String {
    times::when(at.0, now.0, &times::FR)
}

fn plural(n: impl Into<u64>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{n} {}", if n < 2 { one } else { many })
}

fn task(other: &JobRef) -> String {
    named("la tâche", other)
}

fn sentence(verdict: &Verdict, reader: &str) -> (String, String) {
    let (shown, now, user) = (code(&verdict.shown), verdict.at, &verdict.user);
    let own = reader == user;
    match &verdict.eligibility {
        Eligibility::Past(_) => ("Elle n’attend plus.".to_owned(), String::new()),
        Eligibility::Held { by_admin: true } => {
            let lead = match meaning(&verdict.shown) {
                "" => format!("Un administrateur la retient ({shown})."),
                why => format!("Elle est retenue ({shown}) : {why}."),
            };
            let rest = match reader == "root" {
                true => "Une fois libérée, elle revient dans la file d’attente.",
                false => {
                    "Seul un administrateur peut la libérer ; elle revient alors dans la file d’attente."
                }
            };
            (lead, rest.to_owned())
        }
        Eligibility::Held { by_admin: false } => (
            match own {
                true => format!("Vous la retenez ({shown})."),
                false => format!("{user} la retient ({shown})."),
            },
            "Une fois libérée, elle revient dans la file d’attente.".to_owned(),
        ),
        Eligibility::Begins { at, again } => (
            format!("Elle ne peut pas démarrer avant {} ({shown}).", moment(*at, now)),
            if *again {
                "Elle a été remise en file : Slurm attend un peu avant de la relancer."
            } else {
                "C’est ce que demande --begin."
            }
            .to_owned(),
        ),
        Eligibility::Depends(open) if open.first.is_empty() => {
            (format!("Elle n’est pas encore éligible ({shown})."), String::new())
        }
        Eligibility::Depends(open) => {
            let one = |(kind, other): &(String, JobRef)| match kind.as_str() {
                "singleton" if own => "la fin de vos autres tâches du même nom".to_owned(),
                "singleton" => format!("la fin des autres tâches de {user} du même nom"),
                "after" => format!("le début de {}", task(other)),
                "afterok" | "aftercorr" => format!("la réussite de {}", task(other)),
                "afternotok" => format!("l’échec de {}", task(other)),
                _ => format!("la fin de {}", task(other)),
            };
            let all: Vec<String> = open.first.iter().map(one).collect();
            let more = if open.count as usize > all.len() { ", et d’autres" } else { "" };
            let never = verdict.shown == "DependencyNeverSatisfied";
            let rest = match never {
                true => {
                    "Cette dépendance ne pourra jamais être satisfaite. Annulez la tâche ou retirez la dépendance."
                }
                false => "D’ici là, elle n’est pas éligible et l’ordonnanceur ne l’examine pas.",
            };
            (format!("Elle attend {}{more} ({shown}).", all.join(", ")), rest.to_owned())
        }
        Eligibility::Queued { in_front } => match verdict.starts() {
            Some(StartingPass::Main) => (
                "Rien ne la bloque : la prochaine passe de l’ordonnanceur la lance.".to_owned(),
                String::new(),
            ),
            Some(StartingPass::Backfill) => (
                "Elle tient dans un creux : le prochain remplissage (backfill) la lance.".to_owned(),
                "Elle ne retarde aucune des tâches qui la précèdent.".to_owned(),
            ),
            None => queued(verdict, *in_front),
        },
    }
}

fn queued(verdict: &Verdict, in_front: u32) -> (String, String) {
    let lead = match verdict.partitions.as_slice() {
        [only] => blocker(only, verdict),
        several => {
            let each = |t: &PartitionVerdict| format!("dans {}, {}", code(&t.partition), blocker(t, verdict));
            several.iter().map(each).collect::<Vec<_>>().join(" ; ")
        }
    };
    let position = match in_front {
        0 => "Elle est en tête de la file.".to_owned(),
        n => format!("{} dans la file.", plural(n, "entrée la précède", "entrées la précèdent")),
    };
    let rest = match is_infeasible(verdict) {
        true => {
            "Slurm la retient jusqu’à ce que sa demande change ou qu’un administrateur la libère.".to_owned()
        }
        false => format!("{position} {}", plan(verdict, verdict.at)),
    };
    (format!("Elle attend : {lead} ({}).", code(&verdict.shown)), rest)
}

fn plan(verdict: &Verdict, now: Time) -> String {
    match &verdict.backfill {
        BackfillVerdict::None | BackfillVerdict::Starts => String::new(),
        BackfillVerdict::Expects(ExpectedStart { at, nodes, .. }) => format!(
            "Début prévu : {} sur {}, dans {}.",
            moment(*at, now),
            code(nodes),
            span((*at - now).secs(), DAY)
        ),
        BackfillVerdict::Limited(limit) if said_before(verdict, limit) => String::new(),
        BackfillVerdict::Limited(limit) => {
            format!("Le remplissage (backfill) ne la prévoit pas non plus : {}.", limited(limit, now))
        }
        BackfillVerdict::TooFar(depth) => format!(
            "Le remplissage (backfill) n’examine que les {depth} premières entrées ({}) et ne l’atteint pas : \
             son début est imprévisible.",
            code("bf_max_job_test")
        ),
        BackfillVerdict::NoStart(until) => {
            format!("Le remplissage (backfill) ne lui trouve pas de place avant {}.", moment(*until, now))
        }
    }
}

fn needs(needs: &RequestSummary) -> String {
    let cpus = u64::from(needs.tasks.max(1)) * u64::from(needs.cpus_per_task.max(1));
    let mut all = vec![plural(needs.nodes, "nœud", "nœuds"), plural(cpus, "CPU", "CPU")];
    if !needs.memory.is_empty() {
        all.push(format!("{} de mémoire", needs.memory));
    }
    if !needs.gres.is_empty() {
        all.push(gpus(&needs.gres));
    }
    all.join(", ")
}

/// A GRES request in words if it is simple.
fn gpus(gres: &str) -> String {
    match gres.strip_prefix("gpu:").map(str::parse::<u32>) {
        Some(Ok(n)) => plural(n, "GPU", "GPU"),
        Some(Err(_)) | None => code(gres),
    }
}

/// Meaning of Slurm reasons without further data; empty if there is none.
fn meaning(reason: &str) -> &'static str {
    match reason {
        "None" => "aucune passe de l’ordonnanceur ne l’a encore examinée",
        "Priority" => "ce n’est pas encore son tour",
        "Resources" => "les composantes de sa tâche hétérogène ne peuvent pas toutes démarrer en même temps",
        "Cleaning" => "ses nœuds finissent de nettoyer son exécution précédente",
        "NodeDown" => "un nœud dont elle a besoin est hors service",
        "JobHoldMaxRequeue" => "elle a été remise en file trop souvent",
        "JobLaunchFailure" => "son lancement sur ses nœuds a échoué",
        "ReservationDeleted" => "sa réservation a été supprimée",
        "ReservationInvalid" => "elle n’a pas accès à sa réservation",
        "MaxPoweredUpNodes" => "le nombre maximal de nœuds allumés est atteint",
        "SchedDefer" => "les tâches ne démarrent que lors des passes de l’ordonnanceur",
        _ => "",
    }
}

fn blocker(tried: &PartitionVerdict, verdict: &Verdict) -> String {
    let part = code(&tried.partition);
    match &tried.blocker {
        Blocker::Nothing => "plus rien ne la bloque".to_owned(),
        Blocker::Behind(other) => format!(
            "ce n’est pas son tour, {}, de priorité {}, la précède et ne trouve pas non plus de place dans {part}",
            task(other),
            other.priority
        ),
        Blocker::Nodes if !verdict.needs.nodelist.is_empty() => format!(
            "les nœuds qu’elle demande, {} ({}), ne sont pas libres ; il lui faut {}",
            code(&verdict.needs.nodelist),
            code("--nodelist"),
            needs(&verdict.needs)
        ),
        Blocker::Nodes => {
            let room = match tried.available {
                (0, _) => format!("aucun nœud de {part} n’a de place en ce moment"),
                (nodes, tasks) => format!(
                    "seulement {} de {part} {} de la place, pour {}",
                    plural(nodes, "nœud", "nœuds"),
                    if nodes < 2 { "a" } else { "ont" },
                    plural(tasks, "processus", "processus")
                ),
            };
            format!("il lui faut {}, et {room}", needs(&verdict.needs))
        }
        Blocker::Preempts(victims) => {
            let all: Vec<String> = victims.iter().map(task).collect();
            format!("elle préempte {} et attend que les ressources se libèrent", all.join(", "))
        }
        Blocker::State(state) => {
            format!("la partition {part} est {} et ne lance aucune tâche", code(state))
        }
        Blocker::TimeLimit { asked, most } => {
            format!("elle demande {}, et {part} autorise au plus {}", limit_text(*asked), limit_text(*most))
        }
        Blocker::NodeCount { asked, least, most } => format!(
            "elle demande {}, et {part} en autorise de {least} à {most} par tâche",
            plural(*asked, "nœud", "nœuds")
        ),
        Blocker::TooSmall { cpus, nodes } => format!(
            "elle demande {} et {} CPU, et {part} n’a que {} et {} CPU",
            plural(nodes.0, "nœud", "nœuds"),
            cpus.0,
            plural(nodes.1, "nœud", "nœuds"),
            cpus.1
        ),
        Blocker::Account => format!("la partition {part} n’accepte pas son compte"),
        Blocker::Group => format!("la partition {part} n’accepte pas les groupes de son utilisateur"),
        Blocker::Qos => format!("la partition {part} n’accepte pas sa QOS"),
        Blocker::Never => {
            format!("aucun nœud de {part} ne pourra jamais satisfaire sa demande : {}", needs(&verdict.needs))
        }
        Blocker::NoAccount(account) if account.is_empty() => format!(
            "{} n’a aucun compte, et toute tâche doit ici être imputée à un compte ({})",
            verdict.user,
            code("AccountingStorageEnforce")
        ),
        Blocker::NoAccount(account) => format!("{} n’a plus accès au compte {account}", verdict.user),
        Blocker::NoQos(qos) if qos.is_empty() => "sa QOS a été supprimée".to_owned(),
        Blocker::NoQos(qos) => format!("{} n’a plus accès à la QOS {qos}", verdict.user),
        Blocker::Threshold { qos, has, least } => format!(
            "la QOS {qos} exige une juste part d’au moins {} ({}), et celle de {} est de {} ; elle remonte quand \
             l’utilisation passée décroît",
            thousandths(*least, ','),
            code("UsageThreshold"),
            verdict.user,
            thousandths(*has, ',')
        ),
        Blocker::Limit(limit) => limited(limit, verdict.at),
        Blocker::Licenses(all) => {
            let one = |l: &LicenseShortage| {
                format!(
                    "il lui faut {}, et {} sur {} sont libres ({})",
                    plural(l.asked, "licence", "licences"),
                    l.total.saturating_sub(l.taken),
                    l.total,
                    code(&l.name)
                )
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Blocker::ArrayTasks { running, most } => format!(
            "{} de son tableau en cours, pour {most} au plus à la fois ({})",
            plural(*running, "tâche", "tâches"),
            code(&format!("%{most}"))
        ),
        Blocker::Reservation(Some(at)) => format!("sa réservation commence à {}", moment(*at, verdict.at)),
        Blocker::Reservation(None) => "sa réservation n’est pas active".to_owned(),
        Blocker::Other(reason) => match meaning(reason) {
            "" => format!("Slurm indique {} dans {part}", code(reason)),
            known => known.to_owned(),
        },
    }
}

fn limit_text(limit: Limit) -> String {
    limit.span().map_or_else(|| "une durée sans limite".to_owned(), |time| span(time.secs(), DAY))
}

const NOUNS: Nouns = Nouns {
    job: |n| if n < 2 { "tâche" } else { "tâches" },
    cpu: |_| "CPU",
    node: |n| if n < 2 { "nœud" } else { "nœuds" },
    licence: "licences",
    memory: "de mémoire",
    minutes: "minutes de {}",
};

fn limited(limit: &ReachedLimit, now: Time) -> String {
    let who = match &limit.owner {
        LimitOwner::User { user, account } => format!("{user} (compte {account})"),
        LimitOwner::Account(account) => format!("le compte {account}"),
        LimitOwner::Qos(qos) => format!("la QOS {qos}"),
        LimitOwner::UserInQos { user, qos } => format!("{user} (QOS {qos})"),
        LimitOwner::AccountInQos { account, qos } => format!("le compte {account} (QOS {qos})"),
    };
    let by = match limit.users.count {
        0 => String::new(),
        1 => format!(" (tâche {})", ids(&limit.users.first, 1)),
        _ => format!(" (tâches {})", ids(&limit.users.first, limit.users.count)),
    };
    let of = |n| amount(limit, n, &NOUNS);
    let (at, used, asked, name) = (of(limit.at), of(limit.used), of(limit.asked), code(&limit.name));
    let never = "elle ne pourra jamais démarrer";
    match scope(&limit.name) {
        LimitScope::AtOnce if !limit.name.contains('=') => {
            format!("{who} n’a droit qu’à {at} à la fois ({name}), et {used} en cours{by}")
        }
        LimitScope::AtOnce => {
            format!("{who} dispose de {at} à la fois ({name}) : {used} en cours{by}, et elle demande {asked}")
        }
        LimitScope::Job => {
            format!("{at} au plus par tâche pour {who} ({name}), et elle demande {asked} : {never}")
        }
        LimitScope::Node => {
            format!(
                "{at} au plus par tâche et par nœud pour {who} ({name}), et elle demande {asked} : {never}"
            )
        }
        LimitScope::Least => {
            format!("{at} au moins par tâche pour {who} ({name}), et elle demande {asked} : {never}")
        }
        LimitScope::Budget => {
            let asks = if limit.asked > 0 { format!(", et elle demande {asked}") } else { String::new() };
            let by = spenders(limit.spent.as_ref());
            format!(
                "{who} a droit à {at} en tout ({name}) : {used} consommées{by}{asks}. {}",
                recovery(limit, now)
            )
        }
        LimitScope::Ahead => format!(
            "les tâches en cours ne peuvent engager que {at} pour {who} ({name}) : {used} engagées{by}, et elle \
             demande {asked}"
        ),
    }
}

/// When a limit on accumulated usage admits jobs again.
fn recovery(limit: &ReachedLimit, now: Time) -> String {
    match limit.spent.as_ref().map(|s| s.recovery) {
        Some(BudgetRecovery::At(at)) => format!(
            "L’utilisation décroît avec le temps : sans nouvelle consommation, il en restera assez à {}",
            moment(at, now)
        ),
        Some(BudgetRecovery::TooMuch) => {
            "Il n’en restera jamais autant, même quand l’utilisation décroît".to_owned()
        }
        Some(BudgetRecovery::No) | None => {
            "L’utilisation ne décroît pas ici : seul un administrateur peut y changer quelque chose"
                .to_owned()
        }
    }
}

fn cause(cause: &NodeVerdict, needs: &RequestSummary) -> String {
    let lack = |resource: NodeResource| match resource {
        NodeResource::Cpus => match needs.cpus_per_task.max(1) {
            1 => "aucun CPU".to_owned(),
            n => format!("moins de {n} CPU"),
        },
        // Without `--mem` a job gets the cluster's default, often a whole node's memory.
        NodeResource::Memory if needs.memory.is_empty() => "trop peu de mémoire".to_owned(),
        NodeResource::Memory => format!("moins de {} de mémoire", needs.memory),
        NodeResource::Gres => format!("moins de {}", gpus(&needs.gres)),
    };
    match cause {
        NodeVerdict::Available => "ont de la place".to_owned(),
        NodeVerdict::Kept(other) => format!("ont de la place, réservée à {} qui la précède", task(other)),
        NodeVerdict::Reserved(name) if name.is_empty() => {
            "ont de la place, mais réservée à d’autres ou pour plus tard".to_owned()
        }
        NodeVerdict::Reserved(name) => format!("ont de la place, mais dans la réservation {}", code(name)),
        NodeVerdict::Busy(resource) => format!("occupés : {} de libre", lack(*resource)),
        NodeVerdict::Exclusive => {
            "occupés par des tâches qui ne peuvent pas partager un nœud avec elle".to_owned()
        }
        NodeVerdict::Small(resource) => format!("trop petits : {}, même vides", lack(*resource)),
        NodeVerdict::Excluded => format!("exclus ({})", code("--exclude")),
        NodeVerdict::NotListed => format!("hors de la liste demandée ({})", code("--nodelist")),
        NodeVerdict::Features => format!("sans les caractéristiques demandées ({})", code("--constraint")),
        NodeVerdict::Down => "hors service".to_owned(),
        NodeVerdict::Drained => "retirés du service".to_owned(),
        NodeVerdict::Away => "en panne, éteints ou en démarrage".to_owned(),
    }
}

fn assumption(assumption: &Assumption, now: Time) -> String {
    match assumption {
        Assumption::Limit(other, end) => {
            format!("{} atteint sa durée maximale à {}, ou finit plus tôt", task(other), moment(*end, now))
        }
        Assumption::Plan(other, end) => {
            format!("{}, qui la précède, y a une place réservée jusqu’à {}", task(other), moment(*end, now))
        }
        Assumption::Reservation(name, end) => {
            format!("la réservation {} se termine à {}", code(name), moment(*end, now))
        }
    }
}

fn in_front(plan: &ReservationAhead, now: Time) -> String {
    format!(
        "{}, priorité {} : {} de {} à {}",
        task(&plan.job),
        plan.job.priority,
        plural(plan.nodes, "nœud", "nœuds"),
        moment(plan.start, now),
        moment(plan.end, now)
    )
}

fn change(remedy: &Remedy) -> String {
    let option = code(&remedy.option);
    match &remedy.change {
        RequestChange::Time(minutes) => {
            format!("une durée maximale de {} ({option})", span(i64::from(*minutes) * 60, DAY))
        }
        RequestChange::Memory(_) | RequestChange::MemoryPerCpu(_) => format!("moins de mémoire ({option})"),
        RequestChange::Gpus(count) => format!("{count} GPU en tout ({option})"),
        RequestChange::Partition(name) => format!("la partition {name} ({option})"),
        RequestChange::Account(name) => format!("le compte {name} ({option})"),
        RequestChange::Qos(name) => format!("la QOS {name} ({option})"),
        RequestChange::AnyNode => format!("n’importe quel nœud : sans {}", code("--nodelist")),
        RequestChange::AnyFeatures => format!("n’importe quel type de nœud : sans {}", code("--constraint")),
        RequestChange::Shared => format!("des nœuds partagés : sans {}", code("--exclusive")),
        RequestChange::Tasks(count) => format!("{count} processus ({option})"),
        RequestChange::Nodes(count) => format!("{} ({option})", plural(*count, "nœud", "nœuds")),
        RequestChange::Throttle(most) => format!("{most} éléments de son tableau à la fois ({option})"),
        RequestChange::NoLicenses => {
            format!("aucune licence : sans {}, si le programme s’en passe", code("--licenses"))
        }
        RequestChange::NoReservation => format!("hors de sa réservation : sans {}", code("--reservation")),
        RequestChange::NoDependency => format!("aucune dépendance : sans {}", code("--dependency")),
        RequestChange::Now => format!("aucune heure de début : sans {}", code("--begin")),
        RequestChange::Release { by_admin: true } => "sa libération par un administrateur".to_owned(),
        RequestChange::Release { by_admin: false } => "sa libération".to_owned(),
    }
}
