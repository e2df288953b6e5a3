// Where the page is, and the version of the messages.

/** Version of the messages between element and page. Within one version, things are added but not changed. */
export const PROTOCOL = 1;
/** This script's own address. */
export const source = new URL(document.currentScript.src);
/** The page's folder. */
export const home = new URL("./", source);
/** The page. Learning platforms have no index for a folder: `<script src="embed.js" data-page="index.html">`. */
export const page = new URL(document.currentScript.dataset.page ?? "./", source);
