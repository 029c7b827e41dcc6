import { type DocumentNode, Kind, type SelectionNode, type Source, parse } from "graphql";
import { createInvalidRequestError } from "./limits.ts";

/** The largest document in tokens that is parsed and validated without overflowing the stack. */
const TOKENS = 2000;

/** Validation compares all fields of the same name with each other. */
const COMPARISONS = 10_000;

/**
 * Parses a client's document if it can be validated in a few milliseconds.
 *
 * @throws {GraphQLError} for a syntax error, or too many fields of the same name or fragments in one place.
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
      "The document selects the same field, or uses fragments, too often in one place.",
    );
  }
  return document;
}

/** Counts the comparisons between selections that are merged, recursively. */
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
