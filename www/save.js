// A drawn picture as a file. The page's colours and letters come from its style sheet, so they are written into the copy.

const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "font-variant-numeric",
];

/** Colours as every viewer knows them: only browsers read oklch(). */
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

/** The first surface behind an element. */
function ground(element) {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^(transparent|rgba\(0, 0, 0, 0\))$/.test(backgroundColor)) return backgroundColor;
  }
  return "white";
}

/** The picture as a text of its own, and its size. */
function standalone(svg) {
  const plain = plainColours();
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((s) => [s, ...s.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    if (style.display === "none") to[i].setAttribute("display", "none");
    to[i].setAttribute("style", STYLES.map((name) => `${name}:${plain(style.getPropertyValue(name))}`).join(";"));
    to[i].removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", plain(ground(svg)));
  copy.prepend(paper);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

function keep(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const png = (canvas) => new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("too large"))), "image/png"));

/** Twice the page's pixels, on the page's surface. */
function paper(width, height, under) {
  const canvas = Object.assign(document.createElement("canvas"), { width: width * 2, height: height * 2 });
  const pen = canvas.getContext("2d");
  pen.fillStyle = ground(under);
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return [canvas, pen];
}

/** Saves the picture (the first svg or canvas) in an element as `svg` or `png`. */
export async function save_picture(root, name, format) {
  const svg = root.querySelector("svg.picture");
  if (format === "svg" && svg) {
    keep(name, new Blob([standalone(svg).text], { type: "image/svg+xml" }));
    return;
  }
  const source = svg ?? root.querySelector("canvas");
  if (!source) throw new Error("no picture");
  const { width, height } = source.getBoundingClientRect();
  const [canvas, pen] = paper(width, height, source);
  let image = source;
  if (svg) {
    image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg).text)}`;
    await image.decode();
  }
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  keep(name, await png(canvas));
}
