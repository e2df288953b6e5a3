//! The editor's lint findings in French. The English texts are in [`base::slip`].

use base::slip::Slip;

fn whose(of: &[String]) -> String {
    let several = of.len() > 1;
    format!("{} {}", if several { "les partitions" } else { "la partition" }, of.join(", "))
}

/// The sentence. Slurm's own messages stay in English.
#[must_use]
pub fn french(slip: &Slip) -> String {
    match slip {
        Slip::Slurm(text) => text.clone(),
        Slip::AfterCommand => "sbatch ne lit les lignes #SBATCH qu’avant la première commande".to_owned(),
        Slip::NotRead => "ignorée par sbatch : la ligne doit commencer par « #SBATCH »".to_owned(),
        Slip::Guide(answers) => format!("d’après le guide du site ; Slurm répond : {answers}"),
        Slip::Time { partition, most } => {
            format!("plus que n’en permet la partition {partition} : {most} au plus")
        }
        Slip::FewGpus { of, asked, kind, most } => {
            let kind = kind.as_ref().map(|k| format!(" {k}")).unwrap_or_default();
            format!("aucun nœud de {} n’a {asked} GPU{kind} : {most} au plus", whose(of))
        }
        Slip::OtherGpus { of, wrong, right } => {
            format!("pas de GPU {wrong} dans {} ; il y a des {right}", whose(of))
        }
        Slip::NoGpus { of, would } if would.is_empty() => format!("pas de tels GPU dans {}", whose(of)),
        Slip::NoGpus { of, would } => {
            format!("pas de tels GPU dans {} ; il y en a dans {}", whose(of), would.join(", "))
        }
        Slip::FewCpus { of, asked, most } => {
            format!("{most} CPU par nœud au plus dans {}, pas {asked}", whose(of))
        }
        Slip::FewNodes { of, asked, most } => format!("{most} nœuds au plus dans {}, pas {asked}", whose(of)),
        Slip::Memory { of, asked, most } => {
            format!("les nœuds ont {most} au plus dans {}, pas {asked}", whose(of))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_in_both_languages() {
        let of = vec!["gpu".to_owned()];
        let slips = [
            Slip::FewGpus { of: of.clone(), asked: 4, kind: Some("a40".to_owned()), most: 2 },
            Slip::FewCpus { of: of.clone(), asked: 4, most: 2 },
            Slip::FewNodes { of: of.clone(), asked: 4, most: 2 },
            Slip::Memory { of, asked: "4G".to_owned(), most: "2G".to_owned() },
        ];
        for slip in slips {
            for text in [slip.to_string(), french(&slip)] {
                assert!(["gpu", "4", "2"].iter().all(|word| text.contains(word)), "{text}");
            }
        }
    }
}
