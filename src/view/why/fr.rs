//! Why a job waits, in French.

use super::{Voice, amount, ids, named};
use crate::protocol::Micros;
use crate::protocol::why::{
    Ask, Cause, Change, Expected, InFront, License, Limit, Other, Plan, Resource, Rest, Standing, Stop,
    Tried, Whose, Why, WhyNeeds,
};
use crate::view::rich::code;
use crate::view::times::{self, span};

/// French.
pub const FR: Voice = Voice { sentence, cause, rest, in_front, change };

const DAY: &str = "j";

fn moment(at: Micros, now: Micros) -> String {
    times::when(at, now, &times::FR)
}

fn plural(n: impl Into<u64>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{n} {}", if n < 2 { one } else { many })
}

fn task(other: &Other) -> String {
    named("la tâche", other)
}

fn sentence(why: &Why, now: Micros) -> (String, String) {
    let shown = code(&why.shown);
    match &why.standing {
        Standing::Past => ("Elle n’attend plus.".to_owned(), String::new()),
        Standing::Held { by_admin: true } => {
            (format!("Elle est retenue ({shown})."), "Seul l’administrateur peut la libérer.".to_owned())
        }
        Standing::Held { by_admin: false } => (
            format!("Elle est retenue par son propriétaire ({shown})."),
            "Libérée, elle rejoint la file d’attente.".to_owned(),
        ),
        Standing::Begins(at) => (
            format!("Elle ne doit pas commencer avant {} ({shown}).", moment(*at, now)),
            "C’est ce que demandait --begin.".to_owned(),
        ),
        Standing::Depends(open) if open.first.is_empty() => {
            (format!("Elle n’est pas encore éligible ({shown})."), String::new())
        }
        Standing::Depends(open) => {
            let one = |(kind, other): &(String, Other)| match kind.as_str() {
                "singleton" => "la fin de vos autres tâches du même nom".to_owned(),
                "after" => format!("le début de {}", task(other)),
                "afterok" | "aftercorr" => format!("la réussite de {}", task(other)),
                "afternotok" => format!("l’échec de {}", task(other)),
                _ => format!("la fin de {}", task(other)),
            };
            let all: Vec<String> = open.first.iter().map(one).collect();
            let more = if open.count as usize > all.len() { ", et d’autres encore" } else { "" };
            let never = why.shown == "DependencyNeverSatisfied";
            let rest = if never { "Cela n’arrivera plus jamais : annulez-la." } else { "" };
            (format!("Elle attend {}{more} ({shown}).", all.join(", ")), rest.to_owned())
        }
        Standing::Starts { backfill: false } => {
            ("Rien ne l’arrête : le prochain passage de l’ordonnanceur la lance.".to_owned(), String::new())
        }
        Standing::Starts { backfill: true } => (
            "Elle tient dans un creux : le prochain remplissage (backfill) la lance.".to_owned(),
            "Aucune des tâches qui la précèdent n’en sera retardée.".to_owned(),
        ),
        Standing::Queued { in_front } => queued(why, *in_front, now),
    }
}

fn queued(why: &Why, in_front: u32, now: Micros) -> (String, String) {
    let lead = match why.tried.as_slice() {
        [only] => stop(only, why),
        several => {
            let each = |t: &Tried| format!("dans {}, {}", code(&t.partition), stop(t, why));
            several.iter().map(each).collect::<Vec<_>>().join(" ; ")
        }
    };
    let place = match in_front {
        0 => "Elle est en tête de la file.".to_owned(),
        n => format!("{} dans la file.", plural(n, "ligne la précède", "lignes la précèdent")),
    };
    (format!("Elle attend : {lead} ({}).", code(&why.shown)), format!("{place} {}", plan(why, now)))
}

fn plan(why: &Why, now: Micros) -> String {
    match &why.plan {
        Plan::None => String::new(),
        Plan::Expects(Expected { at, nodes, .. }) => format!(
            "Début prévu : {} sur {}, dans {}.",
            moment(*at, now),
            code(nodes),
            span((at - now).div_euclid(1_000_000), DAY)
        ),
        Plan::Limited(limit) => {
            format!("Le remplissage (backfill) ne lui cherche pas de nœuds non plus : {}.", limited(limit))
        }
        Plan::TooFar(depth) => format!(
            "Le remplissage (backfill) n’examine que {depth} lignes ({}) et n’arrive pas jusqu’à elle : \
             personne ne peut dire quand elle commencera.",
            code("bf_max_job_test")
        ),
        Plan::NoPlace(until) => {
            format!("Le remplissage (backfill) ne lui trouve pas de place avant {}.", moment(*until, now))
        }
    }
}

fn needs(needs: &WhyNeeds) -> String {
    let cpus = u64::from(needs.tasks.max(1)) * u64::from(needs.cpus_per_task.max(1));
    let mut all = vec![plural(needs.nodes, "nœud", "nœuds"), plural(cpus, "CPU", "CPU")];
    if !needs.memory.is_empty() {
        all.push(format!("{} de mémoire", needs.memory));
    }
    if !needs.gres.is_empty() {
        all.push(code(&needs.gres));
    }
    all.join(", ")
}

fn stop(tried: &Tried, why: &Why) -> String {
    let part = code(&tried.partition);
    match &tried.stop {
        Stop::Nothing => "plus rien ne l’arrête".to_owned(),
        Stop::Behind(other) => format!(
            "ce n’est pas son tour, {}, de priorité {}, la précède et ne trouve pas elle-même de place dans {part}",
            task(other),
            other.priority
        ),
        Stop::Nodes => {
            let room = match tried.room {
                (0, _) => format!("aucun nœud de {part} n’a de place en ce moment"),
                (nodes, tasks) => format!(
                    "seulement {} de {part} avec de la place, pour {}",
                    plural(nodes, "nœud", "nœuds"),
                    plural(tasks, "processus", "processus")
                ),
            };
            format!("il lui faut {}, et {room}", needs(&why.needs))
        }
        Stop::Preempts(victims) => {
            let all: Vec<String> = victims.iter().map(task).collect();
            format!("{} doit d’abord lui céder la place", all.join(", "))
        }
        Stop::State(state) => format!("la partition {part} est {} et ne lance rien", code(state)),
        Stop::TimeLimit { asked, most } => {
            format!("elle demande {}, et {part} accorde au plus {}", limit_text(*asked), limit_text(*most))
        }
        Stop::NodeCount { asked, least, most } => format!(
            "elle demande {}, et {part} en accorde de {least} à {most}",
            plural(*asked, "nœud", "nœuds")
        ),
        Stop::TooSmall { cpus, nodes } => format!(
            "elle demande {} et {} CPU, et {part} n’a que {} et {} CPU",
            plural(nodes.0, "nœud", "nœuds"),
            cpus.0,
            plural(nodes.1, "nœud", "nœuds"),
            cpus.1
        ),
        Stop::Account => format!("la partition {part} n’est pas ouverte à son compte"),
        Stop::Group => format!("la partition {part} n’est pas ouverte aux groupes de son propriétaire"),
        Stop::Qos => format!("la partition {part} n’est pas ouverte à sa QOS"),
        Stop::Limit(limit) => limited(limit),
        Stop::Licenses(all) => {
            let one = |l: &License| {
                format!(
                    "{} licences {} sur {} sont prises et il lui en faut {}",
                    l.taken,
                    code(&l.name),
                    l.total,
                    l.asked
                )
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Stop::ArrayTasks { running, most } => format!(
            "{} de son tableau en cours, pour {most} au plus à la fois",
            plural(*running, "tâche", "tâches")
        ),
        Stop::Reservation(Some(at)) => format!("sa réservation ouvre à {}", moment(*at, why.at)),
        Stop::Reservation(None) => "sa réservation n’est pas ouverte".to_owned(),
        Stop::Other(reason) => match reason.as_str() {
            "Priority" => "ce n’est pas encore son tour".to_owned(),
            reason => format!("Slurm indique {} dans {part}", code(reason)),
        },
    }
}

fn limit_text(seconds: i64) -> String {
    if seconds < 0 { "une durée sans limite".to_owned() } else { span(seconds, DAY) }
}

fn limited(limit: &Limit) -> String {
    let whose = match &limit.whose {
        Whose::User { user, account } => format!("de {user} dans le compte {account}"),
        Whose::Account(account) => format!("du compte {account}"),
        Whose::Qos(qos) => format!("de la QOS {qos}"),
        Whose::UserInQos { user, qos } => format!("de {user} dans la QOS {qos}"),
        Whose::AccountInQos { account, qos } => format!("du compte {account} dans la QOS {qos}"),
    };
    let by = match limit.users.count {
        0 => String::new(),
        1 => format!(" (tâche {})", ids(&limit.users.first, 1)),
        _ => format!(" (tâches {})", ids(&limit.users.first, limit.users.count)),
    };
    format!(
        "une limite est atteinte, {} {whose} vaut {}, {} déjà utilisés{by} et elle demande {}",
        code(&limit.name),
        amount(limit, limit.at),
        amount(limit, limit.used),
        amount(limit, limit.asked)
    )
}

fn cause(cause: &Cause, needs: &WhyNeeds) -> String {
    let lack = |resource: Resource| match resource {
        Resource::Cpus => match needs.cpus_per_task.max(1) {
            1 => "aucun CPU".to_owned(),
            n => format!("moins de {n} CPU"),
        },
        // Without a wish of its own a job gets what the cluster gives, often a whole node's.
        Resource::Memory if needs.memory.is_empty() => "trop peu de mémoire".to_owned(),
        Resource::Memory => format!("moins de {} de mémoire", needs.memory),
        Resource::Gres => format!("pas assez de {}", code(&needs.gres)),
    };
    match cause {
        Cause::Room => "ont de la place".to_owned(),
        Cause::Kept(other) => format!("ont de la place, gardée pour {} qui la précède", task(other)),
        Cause::Reserved(name) if name.is_empty() => "ont de la place, réservée à d’autres".to_owned(),
        Cause::Reserved(name) => format!("ont de la place, réservée par {}", code(name)),
        Cause::Busy(resource) => format!("occupés : {} de libre", lack(*resource)),
        Cause::Company => "occupés par des tâches qui ne partagent pas leur nœud".to_owned(),
        Cause::Small(resource) => format!("trop petits : {}, même vides", lack(*resource)),
        Cause::Excluded => format!("exclus ({})", code("--exclude")),
        Cause::Features => format!("sans les caractéristiques demandées ({})", code("--constraint")),
        Cause::Down => "hors service".to_owned(),
        Cause::Drained => "retirés du service".to_owned(),
        Cause::Away => "en panne, éteints ou en démarrage".to_owned(),
    }
}

fn rest(rest: &Rest, now: Micros) -> String {
    match rest {
        Rest::Limit(other, end) => {
            format!("{} atteint sa durée maximale à {}, ou finit plus tôt", task(other), moment(*end, now))
        }
        Rest::Plan(other, end) => {
            format!("{}, devant elle, y a sa place jusqu’à {}", task(other), moment(*end, now))
        }
        Rest::Reservation(name, end) => {
            format!("la réservation {} se termine à {}", code(name), moment(*end, now))
        }
    }
}

fn in_front(plan: &InFront, now: Micros) -> String {
    format!(
        "{}, priorité {} : {} de {} à {}",
        task(&plan.job),
        plan.job.priority,
        plural(plan.nodes, "nœud", "nœuds"),
        moment(plan.start, now),
        moment(plan.end, now)
    )
}

fn change(change: &Change) -> String {
    let option = code(&change.option);
    match &change.ask {
        Ask::Time(seconds) => format!("une durée maximale de {} ({option})", span(*seconds, DAY)),
        Ask::Memory => format!("moins de mémoire ({option})"),
        Ask::Gpus(count) => format!("{count} GPU en tout ({option})"),
        Ask::Partition(name) => format!("la partition {name} ({option})"),
        Ask::Account(name) => format!("le compte {name} ({option})"),
        Ask::Qos(name) => format!("la QOS {name} ({option})"),
        Ask::AnyNode => format!("n’importe quel nœud : sans {}", code("--nodelist")),
        Ask::AnyFeatures => format!("n’importe quel type de nœud : sans {}", code("--constraint")),
        Ask::Shared => format!("des nœuds partagés : sans {}", code("--exclusive")),
    }
}
