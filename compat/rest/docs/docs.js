/** Adds to the page of the API what needs a script: search, buttons to copy, one language of the examples at a time. */

const LANGUAGE = "agent-ops-docs-language";
const NARROW = matchMedia("(max-width: 899px)");

const search = /** @type {HTMLInputElement} */ (document.querySelector("#search"));
const found = /** @type {HTMLElement} */ (document.querySelector("#found"));
const menu = /** @type {HTMLDetailsElement} */ (document.querySelector(".menu"));
const entries = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".entries li")]);

offerSearch();
offerCopying();
offerLanguages();
markWhatIsRead();
menu.open = !NARROW.matches;
NARROW.addEventListener("change", () => {
  menu.open = !NARROW.matches;
});

function offerSearch() {
  /** @type {HTMLElement} */ (search.parentElement).hidden = false;
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter")
      entries
        .find((entry) => !entry.hidden)
        ?.querySelector("a")
        ?.click();
    if (event.key !== "Escape") return;
    search.value = "";
    find();
    search.blur();
  });
  document.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== "/" || !isPlain || document.activeElement === search) return;
    event.preventDefault();
    search.focus();
    search.select();
  });
  menu.addEventListener("click", (event) => {
    const isLink = event.target instanceof Element && event.target.closest("a") !== null;
    if (isLink && NARROW.matches) menu.open = false;
  });
}

/** Shows the entries that have every word. */
function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of entries) {
    const text = entry.dataset["words"] ?? "";
    entry.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of document.querySelectorAll(".entries section"))
    /** @type {HTMLElement} */ (group).hidden = group.querySelector("li:not([hidden])") === null;
  const count = entries.filter((entry) => !entry.hidden).length;
  found.textContent = words.length === 0 ? "" : `${count} found`;
  if (words.length > 0) menu.open = true;
}

function offerCopying() {
  for (const figure of document.querySelectorAll("figure.code")) {
    const button = document.createElement("button");
    const title = figure.querySelector("figcaption")?.textContent ?? "";
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy: ${title}`);
    button.addEventListener("click", () => {
      navigator.clipboard.writeText(figure.querySelector("pre")?.textContent ?? "").then(
        () => say(button, "Copied"),
        () => say(button, "Can't copy"),
      );
    });
    figure.querySelector("figcaption")?.append(button);
  }
}

/** @param {HTMLElement} button @param {string} word */
function say(button, word) {
  button.textContent = word;
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
}

/** Each example of curl gets a switch to TypeScript and back, which holds for all. */
function offerLanguages() {
  for (const samples of document.querySelectorAll(".samples, .guide")) {
    if (samples.querySelector("[data-language=typescript]") === null) continue;
    const tabs = document.createElement("div");
    tabs.className = "languages";
    for (const [language, name] of [
      ["curl", "curl"],
      ["typescript", "TypeScript"],
    ]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name ?? "";
      button.dataset["shows"] = language;
      button.addEventListener("click", () => {
        const top = button.getBoundingClientRect().top;
        show(language ?? "");
        // What is above may have become longer or shorter.
        scrollBy(0, button.getBoundingClientRect().top - top);
      });
      tabs.append(button);
    }
    samples.querySelector("[data-language=curl]")?.before(tabs);
  }
  show(readLanguage());
}

function readLanguage() {
  try {
    return localStorage.getItem(LANGUAGE) ?? "curl";
  } catch {
    return "curl";
  }
}

/** @param {string} language */
function show(language) {
  document.documentElement.dataset["language"] = language;
  for (const button of document.querySelectorAll("[data-shows]"))
    button.setAttribute(
      "aria-pressed",
      String(/** @type {HTMLElement} */ (button).dataset["shows"] === language),
    );
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // A browser may keep nothing.
  }
}

/** Marks the entry of what is at the top of the window, and keeps it in view. */
function markWhatIsRead() {
  const links = new Map(
    entries.map((entry) => [entry.querySelector("a")?.hash.slice(1) ?? "", entry.querySelector("a")]),
  );
  const watcher = new IntersectionObserver(
    (changes) => {
      const read = changes.find(({ isIntersecting }) => isIntersecting);
      if (read === undefined) return;
      document.querySelector(".entries [aria-current]")?.removeAttribute("aria-current");
      const link = links.get(read.target.id);
      link?.setAttribute("aria-current", "true");
      if (!NARROW.matches) link?.scrollIntoView({ block: "nearest" });
    },
    { rootMargin: "-10% 0px -85%" },
  );
  for (const place of document.querySelectorAll("main article[id], main .guide[id]")) watcher.observe(place);
}
