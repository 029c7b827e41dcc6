/** The editors and the result, whose own elements have no names. */
const NAMES = {
  ".graphiql-query-editor": "Operation",
  ".graphiql-editor-tool": "Variables",
  ".result-window": "Result",
};

/**
 * Mends what GraphiQL lacks for screen readers and keyboards as it appears: editors get names and can be scrolled, and the
 * tabs of operations, which hold two buttons each, are a list of buttons. Returns what ends this.
 */
export function labelEditors(): () => void {
  const watcher = new MutationObserver(label);
  watcher.observe(document.body, {
    ...{ childList: true, subtree: true, attributeFilter: ["role", "aria-selected"] },
  });
  label();
  return () => watcher.disconnect();
}

function label(): void {
  for (const [place, name] of Object.entries(NAMES)) {
    for (const input of document.querySelectorAll(`${place} textarea:not([aria-label])`))
      input.setAttribute("aria-label", name);
    for (const area of document.querySelectorAll(`${place} .CodeMirror-scroll[tabindex="-1"]`))
      area.setAttribute("tabindex", "0");
  }
  for (const tab of document.querySelectorAll(".graphiql-tab[aria-selected]")) {
    tab.querySelector("button")?.setAttribute("aria-current", tab.getAttribute("aria-selected") ?? "false");
    tab.removeAttribute("aria-selected");
  }
  for (const part of document.querySelectorAll('.graphiql-tab[role="tab"], [role="tablist"]'))
    part.removeAttribute("role");
}
