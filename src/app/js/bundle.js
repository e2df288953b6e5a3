// Loads a module of the page: a bundle around xterm.js or CodeMirror.
export const import_module = (address) => import(address);
