//! Why a job waits, in French.

use super::{Nouns, Scope, Voice, amount, given_up, ids, named, said_before, scope, spenders, thousandths};
use crate::protocol::Micros;
use crate::protocol::why::{
    Ask, Cause, Change, Expected, Fades, InFront, License, Limit, Other, Plan, Resource, Rest, Standing,
    Stop, Tried, Whose, Why, WhyNeeds,
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

fn sentence(why: &Why, reader: &str) -> (String, String) {
    let (shown, now, user) = (code(&why.shown), why.at, &why.user);
    let own = reader == user;
    match &why.standing {
        Standing::Past => ("Elle n’attend plus.".to_owned(), String::new()),
        Standing::Held { by_admin: true } => {
            let lead = match meaning(&why.shown) {
                "" => format!("Un administrateur la retient ({shown})."),
                why => format!("Elle est retenue ({shown}) : {why}."),
            };
            let rest = match reader == "root" {
                true => "Vous pouvez la libérer : elle rejoint alors la file d’attente.",
                false => "Seul l’administrateur peut la libérer : elle rejoint alors la file d’attente.",
            };
            (lead, rest.to_owned())
        }
        Standing::Held { by_admin: false } => (
            match own {
                true => format!("Vous la retenez ({shown})."),
                false => format!("Son propriétaire, {user}, la retient ({shown})."),
            },
            "Libérée, elle rejoint la file d’attente.".to_owned(),
        ),
        Standing::Begins { at, again } => (
            format!("Elle ne doit pas commencer avant {} ({shown}).", moment(*at, now)),
            if *again {
                "Elle a déjà tourné et a été remise en file : Slurm laisse passer un peu de temps avant de la relancer."
            } else {
                "C’est ce que demandait --begin."
            }
            .to_owned(),
        ),
        Standing::Depends(open) if open.first.is_empty() => {
            (format!("Elle n’est pas encore éligible ({shown})."), String::new())
        }
        Standing::Depends(open) => {
            let one = |(kind, other): &(String, Other)| match kind.as_str() {
                "singleton" if own => "la fin de vos autres tâches du même nom".to_owned(),
                "singleton" => format!("la fin des autres tâches de {user} du même nom"),
                "after" => format!("le début de {}", task(other)),
                "afterok" | "aftercorr" => format!("la réussite de {}", task(other)),
                "afternotok" => format!("l’échec de {}", task(other)),
                _ => format!("la fin de {}", task(other)),
            };
            let all: Vec<String> = open.first.iter().map(one).collect();
            let more = if open.count as usize > all.len() { ", et d’autres encore" } else { "" };
            let never = why.shown == "DependencyNeverSatisfied";
            let rest = match never {
                true => "Cela n’arrivera plus jamais : annulez-la, ou retirez-lui sa dépendance.",
                false => "D’ici là elle n’est pas dans la file, et rien d’autre n’est examiné.",
            };
            (format!("Elle attend {}{more} ({shown}).", all.join(", ")), rest.to_owned())
        }
        Standing::Starts { backfill: false } => {
            ("Rien ne l’arrête : le prochain passage de l’ordonnanceur la lance.".to_owned(), String::new())
        }
        Standing::Starts { backfill: true } => (
            "Elle tient dans un creux : le prochain remplissage (backfill) la lance.".to_owned(),
            "Aucune des tâches qui la précèdent n’en sera retardée.".to_owned(),
        ),
        Standing::Queued { in_front } => queued(why, *in_front),
    }
}

fn queued(why: &Why, in_front: u32) -> (String, String) {
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
    let rest = match given_up(why) {
        true => {
            "Slurm la retient jusqu’à ce que sa demande change, ou qu’un administrateur la libère.".to_owned()
        }
        false => format!("{place} {}", plan(why, why.at)),
    };
    (format!("Elle attend : {lead} ({}).", code(&why.shown)), rest)
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
        Plan::Limited(limit) if said_before(why, limit) => String::new(),
        Plan::Limited(limit) => {
            format!(
                "Le remplissage (backfill) ne lui cherche pas de nœuds non plus : {}.",
                limited(limit, now)
            )
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
        all.push(gpus(&needs.gres));
    }
    all.join(", ")
}

/// Les GPU en clair, quand c’est simple.
fn gpus(gres: &str) -> String {
    match gres.strip_prefix("gpu:").map(str::parse::<u32>) {
        Some(Ok(n)) => plural(n, "GPU", "GPU"),
        Some(Err(_)) | None => code(gres),
    }
}

/// What some of Slurm's reasons mean, where there is no more to say; empty: nothing.
fn meaning(reason: &str) -> &'static str {
    match reason {
        "None" => "aucun passage de l’ordonnanceur ne l’a encore examinée",
        "Priority" => "ce n’est pas encore son tour",
        "Resources" => "les parties de sa tâche hétérogène ne trouvent pas toutes de la place en même temps",
        "Cleaning" => "ses nœuds finissent de nettoyer son exécution précédente",
        "NodeDown" => "un nœud dont elle a besoin est hors service",
        "JobHoldMaxRequeue" => "elle a été remise en file trop souvent",
        "JobLaunchFailure" => "son lancement sur ses nœuds a échoué",
        "ReservationDeleted" => "sa réservation a été supprimée",
        "ReservationInvalid" => "sa réservation n’est pas pour elle",
        "MaxPoweredUpNodes" => "autant de nœuds sont allumés qu’il est permis",
        "SchedDefer" => "les tâches ne démarrent que lors des passages de l’ordonnanceur",
        _ => "",
    }
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
        Stop::Nodes if !why.needs.nodelist.is_empty() => format!(
            "elle demande {} nommément ({}), qui ne peut l’accueillir en ce moment ; il lui faut {}",
            code(&why.needs.nodelist),
            code("--nodelist"),
            needs(&why.needs)
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
        Stop::Never => {
            format!(
                "aucun nœud de {part} ne pourra jamais lui donner ce qu’elle demande : {}",
                needs(&why.needs)
            )
        }
        Stop::NoAccount(account) if account.is_empty() => format!(
            "{} n’a aucun compte, et toute tâche doit ici être imputée à un compte ({})",
            why.user,
            code("AccountingStorageEnforce")
        ),
        Stop::NoAccount(account) => format!("le compte {account} n’est plus ouvert à {}", why.user),
        Stop::NoQos(qos) if qos.is_empty() => "sa QOS a été supprimée".to_owned(),
        Stop::NoQos(qos) => format!("la QOS {qos} n’est plus ouverte à {}", why.user),
        Stop::Threshold { qos, has, least } => format!(
            "la QOS {qos} veut une juste part d’au moins {} ({}), et celle de {} est de {} : elle remonte quand \
             l’utilisation passée s’efface",
            thousandths(*least, ','),
            code("UsageThreshold"),
            why.user,
            thousandths(*has, ',')
        ),
        Stop::Limit(limit) => limited(limit, why.at),
        Stop::Licenses(all) => {
            let one = |l: &License| {
                format!(
                    "il lui faut {}, et {} sur {} libres ({})",
                    plural(l.asked, "licence", "licences"),
                    l.total.saturating_sub(l.taken),
                    l.total,
                    code(&l.name)
                )
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Stop::ArrayTasks { running, most } => format!(
            "{} de son tableau en cours, pour {most} au plus à la fois ({})",
            plural(*running, "tâche", "tâches"),
            code(&format!("%{most}"))
        ),
        Stop::Reservation(Some(at)) => format!("sa réservation ouvre à {}", moment(*at, why.at)),
        Stop::Reservation(None) => "sa réservation n’est pas ouverte".to_owned(),
        Stop::Other(reason) => match meaning(reason) {
            "" => format!("Slurm indique {} dans {part}", code(reason)),
            known => known.to_owned(),
        },
    }
}

fn limit_text(seconds: i64) -> String {
    if seconds < 0 { "une durée sans limite".to_owned() } else { span(seconds, DAY) }
}

const NOUNS: Nouns = Nouns {
    job: |n| if n < 2 { "tâche" } else { "tâches" },
    cpu: |_| "CPU",
    node: |n| if n < 2 { "nœud" } else { "nœuds" },
    licence: "licences",
    memory: "de mémoire",
    minutes: "minutes de {}",
};

fn limited(limit: &Limit, now: Micros) -> String {
    let who = match &limit.whose {
        Whose::User { user, account } => format!("{user} (compte {account})"),
        Whose::Account(account) => format!("le compte {account}"),
        Whose::Qos(qos) => format!("la QOS {qos}"),
        Whose::UserInQos { user, qos } => format!("{user} (QOS {qos})"),
        Whose::AccountInQos { account, qos } => format!("le compte {account} (QOS {qos})"),
    };
    let by = match limit.users.count {
        0 => String::new(),
        1 => format!(" (tâche {})", ids(&limit.users.first, 1)),
        _ => format!(" (tâches {})", ids(&limit.users.first, limit.users.count)),
    };
    let of = |n| amount(limit, n, &NOUNS);
    let (at, used, asked, name) = (of(limit.at), of(limit.used), of(limit.asked), code(&limit.name));
    let never = "ainsi elle ne commencera jamais";
    match scope(&limit.name) {
        Scope::AtOnce if !limit.name.contains('=') => {
            format!("{who} n’a droit qu’à {at} à la fois ({name}), et {used} en cours{by}")
        }
        Scope::AtOnce => {
            format!("{who} dispose de {at} à la fois ({name}) : {used} en cours{by}, et elle demande {asked}")
        }
        Scope::Job => {
            format!("{at} au plus par tâche pour {who} ({name}), et elle demande {asked} : {never}")
        }
        Scope::Node => {
            format!(
                "{at} au plus par tâche et par nœud pour {who} ({name}), et elle demande {asked} : {never}"
            )
        }
        Scope::Least => {
            format!("{at} au moins par tâche pour {who} ({name}), et elle demande {asked} : {never}")
        }
        Scope::Budget => {
            let asks = if limit.asked > 0 { format!(", et elle demande {asked}") } else { String::new() };
            let by = spenders(limit.spent.as_ref());
            format!(
                "{who} a droit à {at} en tout ({name}) : {used} consommées{by}{asks}. {}",
                fades(limit, now)
            )
        }
        Scope::Ahead => format!(
            "les tâches en cours ne peuvent avoir que {at} devant elles pour {who} ({name}) : {used} prises{by}, et elle \
             demande {asked}"
        ),
    }
}

/// When a limit on what was used up lets jobs go again.
fn fades(limit: &Limit, now: Micros) -> String {
    match limit.spent.as_ref().map(|s| s.fades) {
        Some(Fades::At(at)) => format!(
            "L’utilisation s’efface avec le temps : sans autre consommation, il en restera assez à {}",
            moment(at, now)
        ),
        Some(Fades::TooMuch) => "Il n’en restera jamais autant, même quand l’utilisation s’efface".to_owned(),
        Some(Fades::No) | None => {
            "L’utilisation ne s’efface pas ici : seul un administrateur peut y changer quelque chose"
                .to_owned()
        }
    }
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
        Resource::Gres => format!("moins de {}", gpus(&needs.gres)),
    };
    match cause {
        Cause::Room => "ont de la place".to_owned(),
        Cause::Kept(other) => format!("ont de la place, gardée pour {} qui la précède", task(other)),
        Cause::Reserved(name) if name.is_empty() => {
            "ont de la place, qu’une réservation garde pour d’autres ou pour plus tard".to_owned()
        }
        Cause::Reserved(name) => format!("ont de la place, réservée par {}", code(name)),
        Cause::Busy(resource) => format!("occupés : {} de libre", lack(*resource)),
        Cause::Company => {
            "occupés, et cette tâche et celles qui y sont ne peuvent pas partager un nœud".to_owned()
        }
        Cause::Small(resource) => format!("trop petits : {}, même vides", lack(*resource)),
        Cause::Excluded => format!("exclus ({})", code("--exclude")),
        Cause::Others => format!("pas parmi ceux qu’elle nomme ({})", code("--nodelist")),
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
        Ask::Tasks(count) => format!("{count} processus ({option})"),
        Ask::Nodes(count) => format!("{} ({option})", plural(*count, "nœud", "nœuds")),
        Ask::Throttle(most) => format!("{most} tâches de son tableau à la fois ({option})"),
        Ask::NoLicenses => {
            format!("aucune licence : sans {}, si le programme s’en passe", code("--licenses"))
        }
        Ask::NoReservation => format!("hors de sa réservation : sans {}", code("--reservation")),
        Ask::NoDependency => format!("aucune dépendance : sans {}", code("--dependency")),
        Ask::Now => format!("aucune heure de début : sans {}", code("--begin")),
        Ask::Release { by_admin: true } => "sa libération par un administrateur".to_owned(),
        Ask::Release { by_admin: false } => "sa libération".to_owned(),
    }
}
