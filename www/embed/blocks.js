// The code blocks of the page around the clusters: which ones are shell, and what is written around them.

/** Bounds of what is sent to be read: blocks, characters of one, of all, and of a caption or a sentence. */
const MOST_BLOCKS = 200;
const MOST_TEXT = 32_000;
const MOST_ALL = 500_000;
const MOST_NOTE = 600;

/** Languages of shell code blocks. */
const SHELLS = ["bash", "sh", "shell", "console", "shell-session", "shellsession", "sbatch", "slurm"];
/** Languages without a meaning. */
const NONE = ["default", "none", "notranslate"];
/** Marks a block without a language as shell: the start of a script, or a Slurm command. */
const SLURM = /^#!.*sh\b|^#SBATCH\b|^(\S*[$%>] +)?(sbatch|srun|salloc|squeue|scancel|sinfo|sacct|scontrol|seff|sprio|sshare)(\s|$)/m;
/** How many levels above a block its language may be declared. */
const AROUND = 4;
/** Elements that highlighters insert: line numbers, buttons. */
const NUMBERS = ".linenos, .lineno, .linenodiv, .gutter, .rouge-gutter";
const NOISE = `${NUMBERS}, button, .headerlink`;
/** What this script inserts. */
const OURS = ".sandbatch-try, .sandbatch-values, .sandbatch-said, sandbatch-cluster";
/** A block's title. */
const TITLE = ".caption-text, .filename, figcaption, [class*='codeBlockTitle']";

/** The text of a block without a highlighter's additions. */
export function text_of(block) {
  const copy = (block.querySelector("code") ?? block).cloneNode(true);
  for (const noise of copy.querySelectorAll(NOISE)) noise.remove();
  // Any kind of prompt, and the prompt of a line that goes on.
  for (const prompt of copy.querySelectorAll(".gp")) prompt.replaceWith(/^\s*>/.test(prompt.textContent) ? "> " : "$ ");
  for (const line of copy.querySelectorAll("br")) line.replaceWith("\n");
  return copy.textContent.replace(/^\s*\n/, "").trimEnd();
}

/**
 * The language of a block in any highlighter's notation: `language-bash` (Markdown, MkDocs, Docusaurus, Jekyll), `highlight-bash`
 * (Sphinx, Jupyter Book), `sourceCode bash` (pandoc, the Carpentries Workbench); none if not declared.
 */
function language_of(block) {
  let element = block.querySelector("code") ?? block;
  for (let outside = 0; outside <= AROUND && element && element !== document.body; outside++, element = element.parentElement) {
    const names = [...element.classList];
    const named = names.map((name) => /^(?:language|highlight|lang)-([\w-]+)$/.exec(name)?.[1]);
    if (names.includes("sourceCode")) named.push(...names.filter((name) => /^[a-z]+$/.test(name)));
    const language = named.find((name) => name && !NONE.includes(name));
    if (language) return language;
  }
  return null;
}

/** Whether a block contains shell code. */
function is_shell(block) {
  const language = language_of(block);
  return language ? SHELLS.includes(language) : SLURM.test(text_of(block));
}

/** The outermost element that a highlighter made for a block: frame, copy button, line numbers. */
export function outside_of(block) {
  const made = '[class*="language-"], [class*="highlight-"], .highlight, .highlighttable, .highlighter-rouge, .theme-code-block, .codewrapper';
  let whole = block;
  for (let at = block, outside = 0; at && outside < 2 * AROUND; at = at.parentElement, outside++) if (at.matches(made)) whole = at;
  return whole;
}

/** A block's title. */
function title_of(block) {
  const whole = outside_of(block);
  const before = whole.previousElementSibling;
  const above = before?.matches(TITLE) ? before : before?.querySelector(".caption-text");
  const title = whole.querySelector(TITLE) ?? above;
  return (title?.textContent ?? "").trim().slice(0, MOST_NOTE);
}

/** The text directly before a block, where a script's name is. */
function text_before(block) {
  let at = outside_of(block);
  for (let outside = 0; at && at !== document.body && outside < 2; at = at.parentElement, outside++) {
    for (let node = at.previousSibling; node; node = node.previousSibling) {
      if (node instanceof Element && (node.matches(`${OURS}, ${TITLE}, script, style`) || node.querySelector(".caption-text"))) continue;
      if (node instanceof Element && (node.matches("pre") || node.querySelector("pre"))) return "";
      const text = node.nodeType === Node.COMMENT_NODE ? "" : node.textContent.trim();
      if (text) return text.slice(-MOST_NOTE);
    }
  }
  return "";
}

/** Whether an element is a code block of the page's text. */
const is_block = (block) => !block.closest(`sandbatch-cluster, ${NUMBERS}`) && !block.parentElement?.closest("pre");

/** Blocks with a button, and their buttons. */
export const done = new WeakMap();
/** Blocks that the author chose. Without a language, they count as shell. */
const chosen = new WeakSet();

/**
 * The blocks that a selector matches: a `pre`, an element inside it, or one around it. Without a selector: all shell blocks. An element
 * in place of a selector is that block, if it contains shell code.
 */
export function blocks(selector) {
  const found = selector instanceof Element ? [selector] : [...document.querySelectorAll(selector || "pre")];
  const all = found.map((element) => element.closest("pre") ?? element.querySelector("pre"));
  const by_author = selector && !(selector instanceof Element);
  const wanted = all.filter((block) => block && !done.has(block) && is_block(block) && (by_author || is_shell(block)));
  if (by_author) wanted.forEach((block) => chosen.add(block));
  return wanted;
}

/** A block as the cluster reads it. */
function described(block) {
  const language = language_of(block) ?? (chosen.has(block) ? "bash" : "");
  return { text: text_of(block).slice(0, MOST_TEXT), language, caption: title_of(block), before: text_before(block) };
}

/** The blocks of the page around one of them, within the bounds: elements, descriptions, and its index. */
export function page_around(block) {
  const all = [...document.querySelectorAll("pre")].filter(is_block);
  const from = Math.max(0, all.indexOf(block) - MOST_BLOCKS / 2);
  const elements = [];
  const texts = [];
  let length = 0;
  for (const element of all.slice(from, from + MOST_BLOCKS)) {
    const text = described(element);
    length += text.text.length;
    if (length > MOST_ALL && elements.includes(block)) break;
    elements.push(element);
    texts.push(text);
  }
  return { elements, texts, at: elements.indexOf(block) };
}
