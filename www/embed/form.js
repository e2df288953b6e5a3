// The form that asks the reader for what an example leaves open.

/** The texts of buttons and form. */
const WORDS = {
  en: {
    label: "Try it", cancel: "Cancel", nothing: "Output: there is nothing to type.",
    fill: "Fill in what the example leaves open:",
    account: "your account", partition: "a partition", job: "the ID of your job", user: "your user name", time: "a time limit",
    count: "a number", memory: "an amount of memory", omitted: "left out; may stay empty", other: "a value of your own",
  },
  fr: {
    label: "Essayer", cancel: "Annuler", nothing: "C’est une sortie : il n’y a rien à saisir.",
    fill: "Complétez ce que l’exemple laisse ouvert :",
    account: "votre compte", partition: "une partition", job: "le numéro de votre tâche", user: "votre nom d’utilisateur",
    time: "une durée limite", count: "un nombre", memory: "une quantité de mémoire", omitted: "omis ; peut rester vide",
    other: "une valeur de votre choix",
  },
};
/** The texts in the language of a page or of a cluster. */
export const words_of = (lang) => WORDS[(lang || document.documentElement.lang).startsWith("fr") ? "fr" : "en"];

/** An element with properties and content. */
export const made = (name, properties, ...inside) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...inside);
  return element;
};

/** What the reader entered for each placeholder of this page. */
const entered = new Map();

/** Asks the reader for values in a form after an element. The answer is a map from index to value; null if the reader cancels. */
export function values_of(asks, words, label, after) {
  const inputs = asks.map(([, { text, about, value }]) =>
    made("input", { type: "text", autocomplete: "off", spellcheck: false, required: about !== "omitted",
      // A job's number changes, so the last job is proposed each time.
      value: (about !== "job" && entered.get(text)) || value }));
  const rows = asks.map(([, { text, about }], at) =>
    made("label", {}, made("span", {}, made("code", { textContent: text }), `: ${words[about] ?? words.other}`), inputs[at]));
  const cancel = made("button", { type: "button", className: "sandbatch-try", textContent: words.cancel });
  const row = made("div", {}, made("button", { className: "sandbatch-try", textContent: label }), cancel);
  const form = made("form", { className: "sandbatch-values" }, made("p", { textContent: words.fill }), ...rows, row);
  after.after(form);
  inputs[0].focus();
  inputs[0].select();
  return new Promise((resolve) => {
    const end = (values) => {
      form.remove();
      resolve(values);
    };
    cancel.addEventListener("click", () => end(null));
    form.addEventListener("keydown", (event) => event.key === "Escape" && end(null));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      asks.forEach(([, { text }], at) => entered.set(text, inputs[at].value));
      end(new Map(asks.map(([index], at) => [index, inputs[at].value.trim()])));
    });
  });
}
