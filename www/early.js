// Runs before the first paint: sets the theme (auto, light, dark) and the panels of an embedded page, narrows the policy for
// requests, and starts the engine's worker, so that it loads in parallel with the page. app::worker_link takes the worker over.
// The language is chosen as in ui::state, for the text that is visible before the app runs.
//
// A browser that lacks something gets a message with the versions that have it, and www/begin.js does not start the app. So this
// file is in the language of old browsers: www/build.mjs makes ECMAScript 5 of it.
(function () {
  var root = document.documentElement;
  var nav = navigator.language || "en";

  /** A parameter of the page's address. Browsers without URLSearchParams get the message below. */
  function parameter(name) {
    var asked = typeof URLSearchParams === "function" ? new URLSearchParams(location.search).get(name) : null;
    return asked === null ? "" : asked;
  }

  /** A setting of an earlier visit. */
  function kept(name) {
    try {
      return localStorage.getItem("sandbatch:" + name) || "";
    } catch (error) {
      // Storage is blocked: the system's theme and language are used.
      return "";
    }
  }

  // What the page needs, with the first versions that have it: Chrome and Edge, Firefox, Safari. docs/running.md has the highest
  // of each column. tests/browser/lacking.spec.ts takes each of them away.
  var NEEDS = [
    ["WebAssembly", "57", "52", "11", function () {
      return typeof WebAssembly === "object" && typeof WebAssembly.validate === "function";
    }],
    // A function that pushes a null reference.
    ["WebAssembly reference types", "96", "79", "15", function () {
      return runs([1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 7, 1, 5, 0, 208, 112, 26, 11]);
    }],
    // A function that copies no memory.
    ["WebAssembly bulk memory", "75", "79", "15", function () {
      return runs([1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 10, 14, 1, 12, 0, 65, 0, 65, 0, 65, 0, 252, 10, 0, 0, 11]);
    }],
    // A function that converts a number without a trap, and extends its sign.
    ["WebAssembly conversions", "75", "64", "15", function () {
      return runs([1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 13, 1, 11, 0, 67, 0, 0, 0, 0, 252, 0, 192, 26, 11]);
    }],
    ["URLSearchParams", "49", "44", "10.1", function () {
      return typeof URLSearchParams === "function" && typeof URL === "function";
    }],
    ["IndexedDB", "24", "16", "10", function () {
      // A browser may block it: the page opens all the same, and says that nothing is stored.
      return "indexedDB" in window;
    }],
    ["ResizeObserver", "64", "69", "13.1", function () {
      return typeof ResizeObserver === "function";
    }],
    ["<dialog>", "37", "98", "15.4", function () {
      return typeof HTMLDialogElement === "function" && typeof HTMLDialogElement.prototype.showModal === "function";
    }],
    ["Object.hasOwn", "93", "92", "15.4", function () {
      return typeof Object.hasOwn === "function" && typeof Array.prototype.at === "function";
    }],
    ["oklch()", "111", "113", "15.4", function () {
      return knows("color", "oklch(0.5 0.1 100)");
    }],
    ["color-mix()", "111", "113", "16.2", function () {
      return knows("color", "color-mix(in oklch, red 40%, transparent)");
    }],
    ["container queries", "105", "110", "16", function () {
      return knows("container-type", "inline-size");
    }],
    [":has()", "105", "121", "15.4", function () {
      return typeof CSS === "object" && CSS.supports("selector(:has(a))");
    }],
    ["dvh", "108", "101", "15.4", function () {
      return knows("height", "1dvh");
    }],
    // The last one, because it starts the worker.
    ["module workers", "80", "114", "15", function () {
      return starts();
    }]
  ];

  /** Whether the browser accepts a WebAssembly module with these sections. */
  function runs(sections) {
    return WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0].concat(sections)));
  }

  function knows(property, value) {
    return typeof CSS === "object" && typeof CSS.supports === "function" && CSS.supports(property, value);
  }

  /** Starts the engine's worker. */
  function starts() {
    var modules = false;
    var options = {
      // Only browsers that support module workers read this.
      get type() {
        modules = true;
        return "module";
      }
    };
    var worker = new Worker(document.querySelector("meta[name=sandbatch-worker]").content, options);
    if (!modules) {
      worker.terminate();
      return false;
    }
    var messages = [];
    worker.onmessage = function (event) {
      messages.push(event);
    };
    window.earlyWorker = { worker: worker, messages: messages };
    return true;
  }

  /** What the browser lacks. A test that fails is one of something that is missing. The worker starts only if nothing is. */
  function lacking() {
    var missing = [];
    for (var i = 0; i < NEEDS.length; i += 1) {
      var has = false;
      if (i === NEEDS.length - 1 && missing.length > 0) break;
      try {
        has = NEEDS[i][4]();
      } catch (error) {
        has = false;
      }
      if (!has) missing.push(NEEDS[i]);
    }
    return missing;
  }

  /** The newest of the versions in a column. */
  function newest(column) {
    var found = "0";
    for (var i = 0; i < NEEDS.length; i += 1) {
      if (parseFloat(NEEDS[i][column]) > parseFloat(found)) found = NEEDS[i][column];
    }
    return found;
  }

  /** Tells what is missing. The style sheets may be unusable, so the message has its own plain style. */
  function tell(missing) {
    var french = root.lang === "fr";
    var or = french ? " ou " : " or ";
    function versions(need) {
      return "Chrome" + or + "Edge " + need[1] + ", Firefox " + need[2] + ", Safari " + need[3];
    }
    function add(parent, tag, text) {
      var element = document.createElement(tag);
      element.textContent = text;
      parent.appendChild(element);
      return element;
    }
    var message = document.createElement("div");
    message.setAttribute("role", "alert");
    message.className = "lacking";
    message.lang = root.lang;
    message.style.cssText = "position:fixed;top:0;left:0;right:0;bottom:0;z-index:100;overflow:auto;padding:32px;background:#fff;color:#111;font:16px/1.5 sans-serif";
    var names = [];
    for (var i = 0; i < missing.length; i += 1) names.push(missing[i][0]);
    add(message, "h1", french ? "Ce navigateur ne peut pas exécuter sandbatch" : "This browser cannot run sandbatch").style.fontSize = "22px";
    add(message, "p", french
      ? "Ce navigateur ne peut pas exécuter sandbatch : il lui manque " + names.join(", ") + "."
      : "This browser cannot run sandbatch: it lacks " + names.join(", ") + ".");
    add(message, "p", french ? "Premières versions qui les ont :" : "The first versions that have them:");
    var list = add(message, "ul", "");
    for (var j = 0; j < missing.length; j += 1) add(list, "li", missing[j][0] + (french ? " : " : ": ") + versions(missing[j]));
    add(message, "p", french
      ? "Tout ce qu’il faut est dans " + versions(["", newest(1), newest(2), newest(3)]) + " et plus récents."
      : "Everything that it needs is in " + versions(["", newest(1), newest(2), newest(3)]) + " and newer.");
    document.body.insertBefore(message, document.body.firstChild);
  }

  /**
   * Narrows the policy of index.html: the page contacts its own origin, and that of a lesson on another host, which app::origin
   * asks about first. A redirect to a third one is refused, too.
   */
  function narrow() {
    var also = "";
    try {
      var lesson = new URL(parameter("lesson"), document.baseURI);
      if (parameter("lesson") && lesson.protocol === "https:" && lesson.origin !== location.origin) also = " " + lesson.origin;
    } catch (error) {
      // No address: loading it fails with a message.
    }
    var policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "img-src 'self' data:" + also + "; connect-src 'self'" + also;
    document.head.appendChild(policy);
  }

  var embed = parameter("embed");
  if (embed) {
    root.setAttribute("data-embed", embed);
    root.setAttribute("data-panels", String(embed.split(" ").length));
  }
  // Returning visitors know what this is.
  if (kept("tour")) root.setAttribute("data-known", "");
  root.lang = (parameter("lang") || kept("language") || nav).indexOf("fr") === 0 ? "fr" : "en";
  // Reserve space for the strip of first steps (ui::steps) unless a lesson or a link is open.
  if (!kept("steps") && !embed && !parameter("lesson") && !location.hash) root.setAttribute("data-steps", "");
  var theme = parameter("theme") || kept("theme");
  var dark = typeof matchMedia === "function" && matchMedia("(prefers-color-scheme: dark)").matches;
  root.setAttribute("data-theme", theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light");
  var missing = lacking();
  if (missing.length > 0) {
    root.setAttribute("data-lacking", "");
    addEventListener("DOMContentLoaded", function () {
      tell(missing);
    });
  } else {
    narrow();
  }
})();
