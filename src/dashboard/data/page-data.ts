/** What the server told in the page: src/pages/layout/viewer.ts. Null if it didn't. */
export function readPageData(name: "viewer" | "cursor"): string | null {
  return document.querySelector<HTMLElement>("[data-viewer]")?.dataset[name] ?? null;
}
