import { toTraceId } from "../../data/trace-id.ts";
import { toVisibleText } from "../../ui/to-visible-text.ts";
import type { PaletteEntry } from "./entries.ts";
import { FOUND_KINDS } from "./found-kinds.ts";
import type { Hit } from "./search-query.ts";

/** The entries that open what was found, each once. Members have a page for admins. */
export function toHitEntries(hits: readonly Hit[], isAdmin: boolean): PaletteEntry[] {
  const entries = hits
    .filter(({ kind }) => isAdmin || kind !== "MEMBER")
    .map((hit): PaletteEntry => {
      const { kind, place, isWork = false } = FOUND_KINDS[hit.kind];
      return {
        key: `${hit.kind}-${hit.uuid}`,
        kind,
        label: hit.name === null ? `Unnamed ${kind.toLowerCase()}` : toVisibleText(hit.name),
        detail: describe(hit),
        at: isWork ? hit.createdAt : null,
        to: place + (hit.kind === "TRACE" ? toTraceId(hit.uuid) : hit.uuid),
        isPage: hit.kind === "MEMBER",
      };
    });
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

function describe({ name, detail, status }: Hit): string | null {
  const words = [detail === name ? null : detail, status?.replaceAll("_", " ")].filter(Boolean);
  return words.length === 0 ? null : toVisibleText(words.join(" · "));
}
