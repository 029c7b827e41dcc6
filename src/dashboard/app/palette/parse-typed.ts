import { listActKinds } from "./acts.ts";
import { FOUND_KINDS } from "./found-kinds.ts";
import type { SearchKind } from "./search-query.ts";

/** A typed text whose first word is an act or a kind, such as "pause support" or "task refund". */
export type TypedNarrowly = {
  /** Null for a kind alone. */
  act: string | null;
  kinds: SearchKind[];
  rest: string;
};

/** What the first words ask for. Null if they are no act and no kind, or nothing follows. */
export function parseTyped(text: string): TypedNarrowly | null {
  const [first = "", ...others] = text.toLowerCase().split(/\s+/);
  const ofAct = listActKinds(first);
  const act = ofAct.length === 0 ? null : first;
  const [word = "", ...rest] = act === null ? [first, ...others] : others;
  const named = findKinds(word).filter((kind) => act === null || ofAct.includes(kind));
  if (act !== null && (named.length === 0 || rest.length === 0)) {
    return others.length === 0 ? null : { act, kinds: ofAct, rest: others.join(" ") };
  }
  return named.length === 0 || rest.length === 0 ? null : { act, kinds: named, rest: rest.join(" ") };
}

function findKinds(word: string): SearchKind[] {
  // Object.keys() loses the names' types.
  return (Object.keys(FOUND_KINDS) as SearchKind[]).filter((kind) => FOUND_KINDS[kind].words.test(word));
}
