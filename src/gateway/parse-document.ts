import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type Source,
  parse,
  visit,
} from "graphql";
import { createInvalidRequestError } from "./limits.ts";

/** The largest document in tokens that is parsed, and validated without overflowing the stack. */
const TOKENS = 2000;

/** For the location of each error, graphql-js finds all ends of lines before it. */
const LINES = 2000;
const LINE_END = /\r\n|[\n\r]/g;

/** Validation compares all fields of the same name with each other. */
const COMPARISONS = 10_000;

/** Validation compares each fragment with each other. */
const FRAGMENTS = 100;

/**
 * Parses a client's document if it can be validated in a few milliseconds.
 *
 * @throws {GraphQLError} for a syntax error, lists that nest too deeply, too many lines, too many fragments or ones that
 *   use themselves, or too many fields of the same name or fragments in one place.
 */
export function parseDocument(source: string | Source): DocumentNode {
  const text = typeof source === "string" ? source : source.body;
  if ((text.match(LINE_END)?.length ?? 0) >= LINES) {
    throw createInvalidRequestError(`The document can have at most ${LINES} lines.`);
  }
  const document = parseTokens(source);
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
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  if (fragments.length > FRAGMENTS) {
    throw createInvalidRequestError(`The document can have at most ${FRAGMENTS} fragments.`);
  }
  const circular = findCircular(fragments);
  if (circular !== null) {
    throw new GraphQLError(`The fragment ${circular} uses itself, or fragments that do.`, {
      extensions: { code: "GRAPHQL_VALIDATION_FAILED" },
    });
  }
  return document;
}

/** A list within a list takes one token, and graphql-js several frames of the stack. */
function parseTokens(source: string | Source): DocumentNode {
  try {
    return parse(source, { maxTokens: TOKENS });
  } catch (error) {
    if (error instanceof RangeError) throw createInvalidRequestError("The document is nested too deeply.");
    throw error;
  }
}

/**
 * Returns the name of a fragment that uses itself, or others that do. Validation would compare all pairs of
 * such fragments, each deeper in the stack.
 */
function findCircular(fragments: readonly FragmentDefinitionNode[]): string | null {
  let left = new Map(fragments.map((fragment) => [fragment.name.value, listUsed(fragment)]));
  for (;;) {
    const users = new Map([...left].filter(([, used]) => used.some((name) => left.has(name))));
    if (users.size === left.size) return users.keys().next().value ?? null;
    left = users;
  }
}

function listUsed(fragment: FragmentDefinitionNode): string[] {
  const used = new Set<string>();
  visit(fragment, { FragmentSpread: ({ name }) => void used.add(name.value) });
  return [...used];
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
