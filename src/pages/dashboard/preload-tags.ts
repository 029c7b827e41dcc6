import { type Html, html } from "../html.ts";

/**
 * What Vite built, by source file.
 *
 * @see https://vite.dev/guide/backend-integration
 */
export type Manifest = Record<
  string,
  { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] }
>;

const PAGE = "index.html";
const VIEW = /^views\/([\w-]+)\/\1-view\.tsx$/;

/**
 * Tags for each view, by the name of its folder, which load its scripts and styles, and those that it loads itself,
 * together with the page's own. Without them, a browser would learn of each only from the one before.
 */
export function listPreloadTags(manifest: Manifest): ReadonlyMap<string, Html> {
  const own = listParts(manifest, [PAGE]);
  const tags = new Map<string, Html>();
  for (const source of Object.keys(manifest)) {
    const name = VIEW.exec(source)?.[1];
    if (name === undefined) continue;
    const parts = listParts(manifest, [source], own);
    const later = [...parts].flatMap((part) => manifest[part]?.dynamicImports ?? []);
    const all = [...parts, ...listParts(manifest, later, new Set([...own, ...parts]))];
    tags.set(name, html`${all.map((part) => toTags(manifest[part]))}`);
  }
  return tags;
}

/** Parts and all that they import, without those that are there already. */
function listParts(
  manifest: Manifest,
  sources: readonly string[],
  known: ReadonlySet<string> = new Set(),
): Set<string> {
  const parts = new Set<string>();
  const left = [...sources];
  for (let source = left.pop(); source !== undefined; source = left.pop()) {
    if (known.has(source) || parts.has(source)) continue;
    parts.add(source);
    left.push(...(manifest[source]?.imports ?? []));
  }
  return parts;
}

function toTags(part: Manifest[string] | undefined): Html[] {
  if (part === undefined) return [];
  return [
    html`<link rel="modulepreload" crossorigin href="/${part.file}" />`,
    ...(part.css ?? []).map((file) => html`<link rel="stylesheet" crossorigin href="/${file}" />`),
  ];
}
