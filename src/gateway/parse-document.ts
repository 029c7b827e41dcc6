import { type DocumentNode, Kind, type SelectionNode, type Source, parse } from "graphql";
import { createInvalidRequestError } from "./limits.ts";

/** A document of so many tokens is parsed and validated without overflowing the stack. */
const TOKENS = 2000;

/** To find out whether fields of one name can be merged, validation compares each with each. */
const COMPARISONS = 10_000;

/**
 * Parses a caller's document, up to what is validated in a few milliseconds.
 *
 * @throws {GraphQLError} for what can't be parsed; for fields of one name, or fragments, above so many in one place.
 */
export function parseDocument(source: string | Source): DocumentNode {
  const document = parse(source, { maxTokens: TOKENS });
  let comparisons = 0;
  for (const definition of document.definitions) {
    if ("selectionSet" in definition && definition.selectionSet !== undefined) {
      comparisons += countComparisons(definition.selectionSet.selections);
    }
  }
  if (comparisons > COMPARISONS) {
    throw createInvalidRequestError(
      "The document asks for the same field, or spreads fragments, too often in one place.",
    );
  }
  return document;
}

/** The comparisons among selections that are merged into one place, and below them. */
function countComparisons(selections: readonly SelectionNode[]): number {
  const groups = new Map<string, { count: number; below: SelectionNode[] }>();
  const waiting = [...selections];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === Kind.INLINE_FRAGMENT) {
      waiting.push(...next.selectionSet.selections);
      continue;
    }
    const name = next.kind === Kind.FIELD ? (next.alias ?? next.name).value : "...";
    const group = groups.get(name) ?? { count: 0, below: [] };
    group.count++;
    if (next.kind === Kind.FIELD) group.below.push(...(next.selectionSet?.selections ?? []));
    groups.set(name, group);
  }
  return [...groups.values()].reduce(
    (sum, { count, below }) => sum + count * count + countComparisons(below),
    0,
  );
}
