//! The editor's lint findings in French. The English texts are in [`base::lint`].

use base::lint::LintMessage;

fn partitions(of: &[String]) -> String {
    let several = of.len() > 1;
    format!("{} {}", if several { "les partitions" } else { "la partition" }, of.join(", "))
}

/// The sentence. Slurm's own messages stay in English.
#[must_use]
pub fn french(message: &LintMessage) -> String {
    match message {
        LintMessage::Slurm(text) => text.clone(),
        LintMessage::AfterCommand => {
            "sbatch ne lit les lignes #SBATCH qu’avant la première commande".to_owned()
        }
        LintMessage::NotRead => "ignorée par sbatch : la ligne doit commencer par « #SBATCH »".to_owned(),
        LintMessage::Guide(answers) => format!("d’après le guide du site ; Slurm répond : {answers}"),
        LintMessage::Time { partition, most } => {
            format!("plus que n’en permet la partition {partition} : {most} au plus")
        }
        LintMessage::FewGpus { of, asked, kind, most } => {
            let kind = kind.as_ref().map(|k| format!(" {k}")).unwrap_or_default();
            format!("aucun nœud de {} n’a {asked} GPU{kind} : {most} au plus", partitions(of))
        }
        LintMessage::OtherGpus { of, wrong, right } => {
            format!("pas de GPU {wrong} dans {} ; il y a des {right}", partitions(of))
        }
        LintMessage::NoGpus { of, would } if would.is_empty() => {
            format!("pas de tels GPU dans {}", partitions(of))
        }
        LintMessage::NoGpus { of, would } => {
            format!("pas de tels GPU dans {} ; il y en a dans {}", partitions(of), would.join(", "))
        }
        LintMessage::FewCpus { of, asked, most } => {
            format!("{most} CPU par nœud au plus dans {}, pas {asked}", partitions(of))
        }
        LintMessage::FewNodes { of, asked, most } => {
            format!("{most} nœuds au plus dans {}, pas {asked}", partitions(of))
        }
        LintMessage::Memory { of, asked, most } => {
            format!("les nœuds ont {most} au plus dans {}, pas {asked}", partitions(of))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_in_both_languages() {
        let of = vec!["gpu".to_owned()];
        let findings = [
            LintMessage::FewGpus { of: of.clone(), asked: 4, kind: Some("a40".to_owned()), most: 2 },
            LintMessage::FewCpus { of: of.clone(), asked: 4, most: 2 },
            LintMessage::FewNodes { of: of.clone(), asked: 4, most: 2 },
            LintMessage::Memory { of, asked: "4G".to_owned(), most: "2G".to_owned() },
        ];
        for message in findings {
            for text in [message.to_string(), french(&message)] {
                assert!(["gpu", "4", "2"].iter().all(|word| text.contains(word)), "{text}");
            }
        }
    }
}
