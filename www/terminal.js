// The terminal: xterm.js, adapted to the page. Line editing is done by the page (view::line_editor).
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";

/** Starts a new task, so that the browser can handle keys first. Timers of a hidden page are slow. */
const turn = () => document.hidden || (globalThis.scheduler?.yield?.() ?? new Promise((done) => setTimeout(done)));

/**
 * Opens a terminal in `host`. `onData(text)` receives keys as terminal bytes, `onSize(columns, rows)` each new size, and
 * `width(codepoint)` is asked for the cells of a character that is not ASCII. Creation, insertion into the page and sizing are one task each. Fails if `host` has been removed meanwhile.
 */
export async function open_terminal(host, onData, onSize, width) {
  const terminal = new Terminal({
    // For its interface of character widths.
    allowProposedApi: true,
    convertEol: true,
    cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    fontFamily: "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    fontSize: 13,
    lineHeight: 1.25,
    macOptionIsMeta: true,
    minimumContrastRatio: 4.5,
    scrollback: 5000,
    theme: theme(host),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.unicode.register(widths(width));
  terminal.unicode.activeVersion = WIDTHS;
  await turn();
  terminal.open(host);
  await turn();
  if (!host.isConnected) {
    terminal.dispose();
    throw new Error("the terminal's container is gone");
  }
  // The zones of a narrow screen are hidden but for one, and in a hidden element every width is 0.
  let measured = host.clientWidth > 0;
  if (measured) measureAll(terminal, host);
  const leaves = wayOut();
  terminal.attachCustomKeyEventHandler((event) => !leaves(event) && clipboard(terminal, event));
  terminal.textarea?.setAttribute("aria-describedby", "way-out-terminal");
  terminal.onData(onData);
  terminal.onResize(({ cols, rows }) => onSize(cols, rows));
  const refit = () => {
    if (host.clientWidth <= 40 || host.clientHeight <= 20) return;
    if (!measured) {
      measured = true;
      // xterm.js measures again after a change of the font.
      const size = terminal.options.fontSize;
      terminal.options.fontSize = size + 1;
      terminal.options.fontSize = size;
      measureAll(terminal, host);
    }
    fit.fit();
  };
  const observer = new ResizeObserver(() => requestAnimationFrame(refit));
  observer.observe(host);
  refit();
  onSize(terminal.cols, terminal.rows);
  let names = ["", ""];
  let voice = null;
  return {
    write: (text) => terminal.write(text),
    write_bytes: (bytes) => terminal.write(bytes),
    focus: () => terminal.focus(),
    clear_selection: () => terminal.clearSelection(),
    theme: () => (terminal.options.theme = theme(host)),
    /** Rows for screen readers, and announcements. xterm.js' own announcements would repeat a line on every redraw. */
    screen_reader: (on) => {
      if (on === (voice !== null)) return;
      terminal.options.screenReaderMode = on;
      host.querySelector(".live-region")?.setAttribute("aria-live", "off");
      host.querySelector(".xterm-accessibility-tree")?.setAttribute("aria-label", names[0]);
      voice?.end();
      voice = on ? speaker(host, () => names[1]) : null;
    },
    /** Sets the terminal's accessible name and the announcement for output that is too long to read aloud. */
    label: (text, much) => {
      names = [text, much];
      terminal.textarea?.setAttribute("aria-label", text);
      host.querySelector(".xterm-accessibility-tree")?.setAttribute("aria-label", text);
    },
    // The screens of editors are read row by row.
    printed: (text) => terminal.buffer.active.type === "normal" && voice?.printed(text),
    line: (before, after) => voice?.line(before, after),
    text: () => text(terminal),
    dispose: () => {
      observer.disconnect();
      terminal.dispose();
    },
  };
}

const WIDTHS = "engine";

/**
 * Widths of characters as the engine and the line editor count them; xterm.js' own tables are those of another version of Unicode. The number
 * that `charProperties` returns is xterm.js': bit 0 joins the character to the one before, bits 1 and 2 are the width.
 */
function widths(width) {
  const wcwidth = (code) => (code < 32 ? 0 : code < 127 ? 1 : width(code));
  return {
    version: WIDTHS,
    wcwidth,
    charProperties: (code, preceding) => {
      const own = wcwidth(code);
      const before = (preceding >> 1) & 3;
      const joined = own === 0 && before > 0;
      return ((joined ? before : own) << 1) | Number(joined);
    },
  };
}

/**
 * xterm.js measures each character when it is first shown, and each measurement causes a layout. This measures all
 * characters of a keyboard in one layout. The names are xterm.js internals; if they change, it measures one by one as before.
 */
function measureAll(terminal, host) {
  const widths = terminal._core?._renderService?._renderer?.value?._widthCache?._flat;
  const place = host.querySelector(".xterm-width-cache-measure-container");
  if (!(widths instanceof Float32Array) || !place) return;
  const times = 32;
  const all = Array.from({ length: 95 }, (_, i) => {
    const measured = place.firstChild.cloneNode();
    measured.textContent = String.fromCharCode(32 + i).repeat(times);
    return measured;
  });
  place.append(...all);
  all.forEach((measured, i) => (widths[32 + i] = measured.offsetWidth / times));
  for (const measured of all) measured.remove();
}

/** Tab completes. After Escape, Tab belongs to the browser, so that keyboard users can leave the terminal. */
function wayOut() {
  let escaped = false;
  return (event) => {
    if (event.type !== "keydown" || event.key === "Shift") return false;
    const out = escaped && event.key === "Tab";
    escaped = event.key === "Escape";
    return out;
  };
}

/** Maximum number of output lines to announce. */
const MOST_LINES = 20;

/** Announces to screen readers what programs print, and changes to the input line that keys don't announce themselves. */
function speaker(host, much) {
  const region = host.appendChild(document.createElement("div"));
  region.className = "hidden";
  region.role = "log";
  let waiting = "";
  let timer = 0;
  let [line, place] = ["", 0];
  const say = (text) => {
    if (!text.trim()) return;
    const said = document.createElement("p");
    said.textContent = text;
    region.append(said);
    if (region.childElementCount > 8) region.firstElementChild.remove();
  };
  const flush = () => {
    const lines = plain(waiting).split("\n");
    [waiting, timer] = ["", 0];
    say(lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), much()].join("\n") : lines.join("\n"));
  };
  return {
    printed: (text) => {
      // Full-screen programs (top, watch) are read row by row.
      if (text.includes("\x1b[H") || text.includes("\x1b[2J")) return;
      waiting = (waiting + text).slice(0, 20_000);
      timer ||= setTimeout(flush, 150);
    },
    line: (before, after) => {
      const text = before + after;
      if (text === line) {
        if (before.length !== place) say([...after][0] ?? "");
      } else if (line.startsWith(text)) {
        // Deleted; nothing remains of what was sent.
        if (text) say(line.slice(text.length));
      } else if (after || !text.startsWith(line) || text.length > line.length + 1) {
        say(text);
      }
      [line, place] = [text, before.length];
    },
    end: () => {
      clearTimeout(timer);
      region.remove();
    },
  };
}

/** Text without escape sequences and bells. */
function plain(text) {
  return text.replace(/\x1b(\[[0-9;?]*[ -/]*[@-~]|[()].|\][^\x07]*\x07|.)|[\r\x07]/g, "");
}

/** `F1` and `F2` belong to the page. Ctrl-C copies if there is a selection. Ctrl-V and Ctrl-Shift-C/V never reach the shell. */
function clipboard(terminal, event) {
  if (event.key === "F1" || event.key === "F2") return false;
  const key = event.key.toLowerCase();
  const mod = event.ctrlKey || event.metaKey;
  if (event.type !== "keydown" || !mod || event.altKey) return true;
  if (key === "c" && terminal.hasSelection()) {
    navigator.clipboard?.writeText(terminal.getSelection()).catch(() => {});
    terminal.clearSelection();
    event.preventDefault();
    return false;
  }
  // Not handled here: the browser sends a paste event, which xterm.js handles.
  return key !== "v";
}

function theme(host) {
  const style = getComputedStyle(host);
  const token = (name) => toHex(style.getPropertyValue(name).trim());
  return {
    background: token("--surface-1"),
    foreground: token("--text-strong"),
    cursor: token("--accent"),
    cursorAccent: token("--surface-1"),
    selectionBackground: token("--selection"),
    black: token("--term-black"),
    red: token("--term-red"),
    green: token("--term-green"),
    yellow: token("--term-yellow"),
    blue: token("--term-blue"),
    magenta: token("--term-magenta"),
    cyan: token("--term-cyan"),
    white: token("--term-white"),
    brightBlack: token("--text-faint"),
    brightRed: token("--term-red"),
    brightGreen: token("--term-green"),
    brightYellow: token("--term-yellow"),
    brightBlue: token("--term-blue"),
    brightMagenta: token("--term-magenta"),
    brightCyan: token("--term-cyan"),
    brightWhite: token("--text-strong"),
  };
}

/** Cache of converted colours. */
const hex = new Map();

/** xterm.js reads hexadecimal colours only: a canvas turns any CSS colour into one. */
function toHex(colour) {
  if (!hex.has(colour)) hex.set(colour, painted(colour));
  return hex.get(colour);
}

function painted(colour) {
  const context = (painted.context ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = colour || "#888";
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return `#${[r, g, b].map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

/** All lines of the buffer, with wrapped lines joined. */
function text(terminal) {
  const buffer = terminal.buffer.active;
  let all = "";
  for (let y = 0; y < buffer.length; y += 1) {
    const line = buffer.getLine(y);
    if (!line) continue;
    const next = buffer.getLine(y + 1);
    const wrapped = next?.isWrapped ?? false;
    // A character of two cells that does not fit leaves the last cell empty; nobody typed a space there.
    const gap = wrapped && next.getCell(0)?.getWidth() === 2 && line.getCell(line.length - 1)?.getChars() === "";
    all += line.translateToString(!wrapped, 0, line.length - (gap ? 1 : 0)) + (wrapped ? "" : "\n");
  }
  return all.trimEnd();
}
