// Draws what an embedded page shows as one SVG on white, to replace the frame in print.

const WIDTH = 960;
const LINE = 17;
/** Maximum numbers of terminal lines and of jobs. */
const MOST = 24;
/** Characters per line of the picture. */
const LETTERS = 112;
const LETTER = 'xml:space="preserve" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13"';
const INK = "#1d2129";
const FAINT = "#5c6470";

const escaped = (text) => text.replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\x00-\x08\x0b-\x1f]/g, "");

/** Whether a part of the page is visible. */
function seen(name) {
  const element = document.querySelector(`[data-testid="${name}"]`);
  return element?.checkVisibility?.() ?? Boolean(element?.offsetParent) ? element : null;
}

/** The SVG source. */
export function still() {
  let y = 28;
  const parts = [];
  const write = (text, colour = INK) => {
    parts.push(`<text x="16" y="${y}" fill="${colour}" ${LETTER}>${escaped(text.slice(0, LETTERS))}</text>`);
    y += LINE;
  };
  const clock = document.querySelector('[data-testid="clock-time"]')?.textContent ?? "";
  const site = new URLSearchParams(location.search).get("site") ?? "";
  write(`sandbatch ${site} ${clock}`.replace(/\s+/g, " "), FAINT);
  const canvas = seen("cluster")?.querySelector("canvas");
  if (canvas?.width && canvas.height) {
    const { width, height } = canvas.getBoundingClientRect();
    const scale = Math.min((WIDTH - 32) / width, 1);
    const ground = getComputedStyle(document.documentElement).getPropertyValue("--surface-0") || "white";
    parts.push(`<rect x="16" y="${y}" width="${width * scale}" height="${height * scale}" fill="${escaped(paper(ground))}" />`);
    parts.push(`<image x="16" y="${y}" width="${width * scale}" height="${height * scale}" href="${canvas.toDataURL("image/png")}" />`);
    y += height * scale + LINE + 8;
  }
  const rows = [...(seen("queue")?.querySelectorAll('[data-testid="queue-row"]') ?? [])].slice(0, MOST);
  for (const row of rows) {
    const cells = [...row.querySelectorAll('[role="cell"]')].map((cell) => cell.textContent.trim().replace(/\s+/g, " ").slice(0, 13));
    write(cells.map((cell) => cell.padEnd(14)).join(""));
  }
  if (rows.length) y += 8;
  if (seen("terminal")) {
    const text = window.__sandbatch?.terminalText() ?? "";
    for (const line of text.trimEnd().split("\n").slice(-MOST)) write(line);
  }
  const height = Math.ceil(y);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"><rect width="100%" height="100%" fill="white" />${parts.join("")}</svg>`;
}

/** A colour in a form that every viewer understands. */
function paper(colour) {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  pen.fillStyle = colour.trim();
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${r}, ${g}, ${b})`;
}
