// The page of a package that `sandbatch lesson export` made. It shows the lesson in an embedded cluster (embed.js) and reports
// to the learning platform over the API that the platform puts into a window around this one: completion, score, time, and the
// state from which the lesson resumes.
(() => {
/** What differs between SCORM 1.2 and SCORM 2004. `most` is the longest state in characters that every platform stores. */
const STANDARDS = {
  "1.2": {
    api: "API", prefix: "LMS", end: "Finish", most: 4096,
    status: "cmi.core.lesson_status", done: ["completed", "passed"], score: "cmi.core.score", time: "cmi.core.session_time",
    exit: "cmi.core.exit", normal: "", span: (seconds) => [seconds / 3600, (seconds / 60) % 60, seconds % 60]
      .map((part) => String(Math.floor(part)).padStart(2, "0")).join(":"),
  },
  "2004": {
    api: "API_1484_11", prefix: "", end: "Terminate", most: 64_000,
    status: "cmi.completion_status", done: ["completed"], score: "cmi.score", time: "cmi.session_time",
    exit: "cmi.exit", normal: "normal", span: (seconds) => `PT${Math.floor(seconds)}S`,
  },
};
const WORDS = {
  en: {
    none: "No learning platform found: your result is not stored.",
    lost: "The learning platform did not store your result. Keep this window open and tell your teacher.",
    again: "The lesson starts from its beginning. Your result so far is kept.",
  },
  fr: {
    none: "Aucune plateforme de formation trouvée : votre résultat n’est pas enregistré.",
    lost: "La plateforme n’a pas enregistré votre résultat. Gardez cette fenêtre ouverte et prévenez votre formateur.",
    again: "La leçon reprend au début. Votre résultat est conservé.",
  },
};
/** Milliseconds between two saved moments. */
const SAVE_EVERY = 60_000;
/** Most windows around this one that may hold the API. */
const MOST_WINDOWS = 20;

const standard = STANDARDS[document.body.dataset.standard];
const words = WORDS[document.documentElement.lang] ?? WORDS.en;
const note = document.querySelector("[role=status]");
const say = (text) => Object.assign(note, { textContent: text, hidden: !text });

/** The platform's API: in a window around this one, or around the one that opened it. */
function find_api() {
  for (let start of [window, window.opener]) {
    for (let at = start, count = 0; at && count < MOST_WINDOWS; count++) {
      try {
        if (at[standard.api]) return at[standard.api];
      } catch {
        // A window of another origin. One further out may be the platform's.
      }
      if (at === at.parent) break;
      at = at.parent;
    }
  }
  return null;
}

const api = find_api();
let open = api !== null && String(api[`${standard.prefix}Initialize`]("")) === "true";
const call = (name, ...values) => (open ? String(api[standard.prefix + name](...values)) : "");
const get = (name) => call("GetValue", name);
/** Whether all values of this report were stored so far. */
let stored = true;
const set = (name, value) => {
  if (call("SetValue", name, String(value)) !== "true") stored = false;
};

const text_of = ({ passed, score, moment }) => JSON.stringify({ version: 1, passed, score, moment });

/** What the platform kept of the last visit. It is text from elsewhere, so each part is checked. */
function read_state() {
  const state = { passed: 0, share: 0, score: 0, moment: "" };
  try {
    const kept = JSON.parse(get("cmi.suspend_data"));
    if (kept.version !== 1) return state;
    if (Number.isInteger(kept.passed) && kept.passed > 0) state.passed = kept.passed;
    if (kept.score > 0 && kept.score <= 100) state.score = kept.score;
    if (/^s=[\w-]+$/.test(kept.moment)) state.moment = kept.moment;
  } catch {
    // The first visit, or a text that is not ours.
  }
  return state;
}

const state = read_state();
let done = standard.done.includes(get(standard.status));
const began = performance.now();

/** Reports to the platform and has it store everything. */
function report() {
  if (!open) return;
  stored = true;
  // A result never gets worse: a learner may start over after the lesson is done.
  set(standard.status, done ? "completed" : "incomplete");
  set(`${standard.score}.min`, 0);
  set(`${standard.score}.max`, 100);
  set(`${standard.score}.raw`, state.score);
  if (standard === STANDARDS["2004"]) {
    set("cmi.score.scaled", state.score / 100);
    set("cmi.progress_measure", (done ? 1 : state.share).toFixed(4));
    if (done) set("cmi.success_status", "passed");
  }
  set(standard.time, standard.span((performance.now() - began) / 1000));
  set(standard.exit, done ? standard.normal : "suspend");
  set("cmi.suspend_data", text_of(state));
  if (call("Commit", "") !== "true") stored = false;
  if (!stored) say(words.lost);
  else if (note.textContent === words.lost) say("");
}

/** Ends the connection, once: when the window closes or leaves this page. */
function end() {
  if (!open) return;
  report();
  call(standard.end, "");
  open = false;
}

const cluster = document.createElement("sandbatch-cluster");
const set_attribute = (name, value) => value && cluster.setAttribute(name, value);
set_attribute("lesson", document.body.dataset.lesson);
set_attribute("lang", document.documentElement.lang);
set_attribute("panels", "editor terminal cluster queue");
set_attribute("link", state.moment && `#${state.moment}`);
cluster.setAttribute("height", "100%");
if (!open) say(words.none);
else if (state.passed > 0 && !state.moment) say(words.again);

/** Takes the lesson's progress, and the moment if it fits. */
let busy = false;
async function look() {
  if (busy) return;
  busy = true;
  try {
    const { passed, steps, points, most } = await cluster.state();
    if (!steps) return;
    state.passed = passed;
    state.share = passed / steps;
    const score = most ? points / most : passed / steps;
    state.score = Math.max(state.score, Math.round(100 * score));
    done ||= passed >= steps;
    // A published page may be older and make no moments. Of a long session, the last moment that was short enough stays.
    const moment = await cluster.moment().catch(() => "");
    if (moment && text_of({ ...state, moment }).length <= standard.most) state.moment = moment;
    report();
  } catch (error) {
    console.warn(`sandbatch: ${error.message}`);
  } finally {
    busy = false;
  }
}

cluster.addEventListener("sandbatch-ready", look);
cluster.addEventListener("sandbatch-passed", look);
cluster.addEventListener("sandbatch-error", ({ detail }) => say(detail));
setInterval(look, SAVE_EVERY);
addEventListener("pagehide", end);
document.body.append(cluster);
report();
})();
