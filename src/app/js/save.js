// Saves a picture as a file. Colours and fonts come from the page's style sheet, so they are written into the copy. The title,
// the time and the legend around the picture are included.

const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap",
  "paint-order", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "font-variant-numeric",
];
const SPACE = "http://www.w3.org/2000/svg";
/** Padding, and distance between two lines of text. */
const EDGE = 12;
const ROW = 18;
/** Minimum width for text, however narrow the picture is. */
const LEAST = 360;

/** Colours in a form that every viewer understands: only browsers read oklch(). */
function plainColours() {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  return (colour) => {
    if (!/^(oklch|oklab|lab|lch|color)\(/.test(colour)) return colour;
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known.set(colour, a === 255 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${(a / 255).toFixed(3)})`);
    }
    return known.get(colour);
  };
}

const clear = (colour) => /^(transparent|rgba\(0, 0, 0, 0\))$/.test(colour);

/** The nearest background behind an element. */
function ground(element) {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!clear(backgroundColor)) return backgroundColor;
  }
  return "white";
}

function make(name, attributes, text = "") {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/** A copy of the picture that needs no style sheet, at a vertical position in the file. */
function copied(svg, y, plain) {
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((s) => [s, ...s.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    if (style.display === "none") to[i].setAttribute("display", "none");
    to[i].setAttribute("style", STYLES.map((name) => `${name}:${plain(style.getPropertyValue(name))}`).join(";"));
    to[i].removeAttribute("class");
  });
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  for (const [key, value] of Object.entries({ x: EDGE, y, width, height })) copy.setAttribute(key, value);
  return copy;
}

/** A legend symbol: a line, a frame, or a patch that may end in a stroke. */
function sign(element, x, y, plain) {
  const style = getComputedStyle(element);
  const [width, height] = [parseFloat(style.width) || 10, parseFloat(style.height) || 0];
  const dash = { dashed: "6 4", dotted: "2 3" }[style.borderTopStyle] ?? "none";
  const top = y - 4 - height / 2;
  const drawn = make("g", { opacity: style.opacity });
  if (parseFloat(style.borderTopWidth) > 0) {
    const stroke = { stroke: plain(style.borderTopColor), "stroke-width": style.borderTopWidth, "stroke-dasharray": dash, fill: "none" };
    drawn.append(height > 0 ? make("rect", { x, y: top, width, height, ...stroke }) : make("path", { d: `M${x} ${y - 4}h${width}`, ...stroke }));
    return [drawn, width];
  }
  // A patch that ends early is a gradient from its colour to transparent.
  const fading = /(?:oklch|oklab|lab|lch|color|rgba?)\([^)]*\)/.exec(style.backgroundImage)?.[0];
  drawn.append(make("rect", { x, y: top, width: fading ? width - 8 : width, height, fill: plain(fading ?? style.backgroundColor) }));
  const end = parseFloat(style.borderRightWidth) || 0;
  if (end > 0) {
    const bars = style.borderRightStyle === "double" ? [0, end - 1.5] : [0];
    const wide = bars.length > 1 ? 1.5 : end;
    for (const at of bars) drawn.append(make("rect", { x: x + width - end + at, y: top, width: wide, height, fill: plain(style.borderRightColor) }));
  }
  return [drawn, width];
}

/** The pictures in an element as SVG source, with its size. `under` is the caption: owner and time. */
function standalone(root, pictures, under) {
  const plain = plainColours();
  const panel = root.closest("section") ?? root;
  const { color, fontFamily } = getComputedStyle(panel);
  const width = Math.max(LEAST, ...pictures.map((p) => p.getBoundingClientRect().width));
  const file = make("svg", { xmlns: SPACE, "font-family": fontFamily, fill: plain(color) });
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `12px ${fontFamily}`;
  let y = EDGE;
  const say = (text, more = {}) => file.append(make("text", { x: EDGE, y: (y += ROW) - 4, "font-size": 12, ...more }, text));
  const names = [panel.getAttribute("aria-label"), pictures[0].getAttribute("aria-label")];
  say([...new Set(names)].filter(Boolean).join(" · "), { "font-size": 14, "font-weight": 600 });
  say(under, { "fill-opacity": 0.75 });
  // The panel's sentence about the picture.
  let line = "";
  for (const word of (panel.querySelector(".verdict:not(.preview)")?.textContent ?? "").split(" ")) {
    if (line && pen.measureText(`${line} ${word}`).width > width) {
      say(line);
      line = "";
    }
    line = line ? `${line} ${word}` : word;
  }
  if (line) say(line);
  let x = EDGE + width;
  for (const item of panel.querySelectorAll(".legend > span, .signs > span")) {
    const wide = pen.measureText(item.textContent).width + 48;
    if (x + wide > EDGE + width) [x, y] = [EDGE, y + ROW];
    const [drawn, room] = sign(item.querySelector("i"), x, y - 4, plain);
    file.append(drawn, make("text", { x: x + room + 6, y: y - 4, "font-size": 12 }, item.textContent));
    x += wide;
  }
  y += 8;
  for (const picture of pictures) {
    file.append(copied(picture, y, plain));
    y += picture.getBoundingClientRect().height + EDGE;
  }
  const size = { width: width + 2 * EDGE, height: y };
  for (const [key, value] of Object.entries({ ...size, viewBox: `0 0 ${size.width} ${y}` })) file.setAttribute(key, value);
  file.prepend(make("rect", { width: "100%", height: "100%", fill: plain(ground(root)) }));
  return { text: new XMLSerializer().serializeToString(file), ...size };
}

function keep(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const png = (canvas) => new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("too large"))), "image/png"));

/** Saves the pictures in an element as one `svg` or `png`. */
export async function save_picture(root, name, format, under) {
  const pictures = [...root.querySelectorAll("svg.picture")];
  if (pictures.length === 0) throw new Error("no picture");
  const { text, width, height } = standalone(root, pictures, under);
  if (format === "svg") return keep(name, new Blob([text], { type: "image/svg+xml" }));
  // Twice the page's pixels.
  const canvas = Object.assign(document.createElement("canvas"), { width: width * 2, height: height * 2 });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  keep(name, await png(canvas));
}
