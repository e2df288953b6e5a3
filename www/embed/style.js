// The look of the elements that embed.js adds, on screen and in print.

/** In print, a picture of the cluster or the element's own content replaces the frame. */
const STYLE = `
  sandbatch-cluster { display: block }
  sandbatch-cluster > .sandbatch-still { display: none }
  .sandbatch-still > img { max-width: 100% }
  @media print {
    sandbatch-cluster > iframe { display: none !important }
    sandbatch-cluster > .sandbatch-still { display: block; break-inside: avoid }
    .sandbatch-try, .sandbatch-values, .sandbatch-said { display: none !important }
  }
  .sandbatch-try {
    margin: 4px 0; padding: 3px 12px; border: 1px solid; border-radius: 6px;
    background: transparent; color: inherit; font: 600 13px/1.5 system-ui, sans-serif; cursor: pointer;
  }
  .sandbatch-try:hover, .sandbatch-try:focus-visible { background: color-mix(in srgb, currentColor 12%, transparent) }
  .sandbatch-try:disabled { opacity: 0.6; cursor: progress }
  .sandbatch-values {
    display: grid; grid-template-columns: minmax(0, max-content) minmax(8em, 22em); gap: 6px 12px; align-items: center;
    margin: 8px 0; padding: 10px 14px; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px;
    font: 13px/1.5 system-ui, sans-serif;
  }
  .sandbatch-values > p, .sandbatch-values > div { grid-column: 1 / -1; margin: 0 }
  .sandbatch-values > div { display: flex; gap: 8px }
  .sandbatch-values label { display: contents }
  .sandbatch-values span { overflow-wrap: anywhere }
  .sandbatch-values code { font: 12px ui-monospace, monospace; background: none; border: 0; padding: 0; color: inherit }
  .sandbatch-values input {
    box-sizing: border-box; width: 100%; padding: 4px 8px; border: 1px solid color-mix(in srgb, currentColor 45%, transparent);
    border-radius: 6px; background: transparent; color: inherit; font: 13px ui-monospace, monospace;
  }
  .sandbatch-values .sandbatch-try { margin: 0 }
  .sandbatch-values [type="button"] { border-color: transparent; font-weight: 400 }
  .sandbatch-said { margin: 4px 0; font: 13px/1.5 system-ui, sans-serif; opacity: 0.75 }
`;
if (document.adoptedStyleSheets) {
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
} else {
  // Safari before 16.4. A policy that forbids inline styles leaves the elements plain.
  document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
}
