import { isObject } from "../kernel/is-object.ts";
import { LIMITS } from "../kernel/limits.ts";
import { patternProblem } from "./linear-pattern.ts";

/** A problem and its location in a schema or a value, as property names and indexes. */
export type SchemaProblem = { path: readonly string[]; detail: string };

/** The kind of a value inside a schema: a schema or list of schemas, schemas by name, or plain data. */
type Kind = "schema" | "schemas by name" | "data";

type Walk = { nodes: number; refs: number; patterns: number };

/** The supported drafts. The default is the newest. */
const DRAFTS = new Map([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft-07/schema", "draft-07"],
] as const);

const BY_NAME = new Set([
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"],
]);
const DATA = new Set(["const", "enum", "default", "examples"]);
const REFERENCES = new Set(["$ref", "$dynamicRef"]);

/** Returns a schema's draft, or null if it is not supported. */
export function findDraft(schema: unknown): "2020-12" | "draft-07" | null {
  const named = isObject(schema) ? schema["$schema"] : undefined;
  if (named === undefined) return "2020-12";
  const draft = [...DRAFTS].find(([url]) => named === url || named === `${url}#`);
  return draft?.[1] ?? null;
}

/**
 * Checks the limits that keep compilation cheap: size, depth, few and only internal references, and
 * patterns with linear time.
 *
 * @returns the first problem, or null.
 */
export function schemaRuleProblem(schema: unknown): SchemaProblem | null {
  if (findDraft(schema) === null) {
    return { path: ["$schema"], detail: `must be ${[...DRAFTS.keys()].join(" or ")}` };
  }
  return findProblem(schema, { kind: "schema", path: [], walk: { nodes: 0, refs: 0, patterns: 0 } });
}

type At = { kind: Kind; path: readonly string[]; walk: Walk };

function findProblem(value: unknown, at: At): SchemaProblem | null {
  const { path, walk } = at;
  if (++walk.nodes > LIMITS.schemaNodes) {
    return { path: [], detail: `must have at most ${LIMITS.schemaNodes} values` };
  }
  if (typeof value !== "object" || value === null) return null;
  if (path.length >= LIMITS.schemaDepth) {
    return { path: [], detail: `must be nested at most ${LIMITS.schemaDepth} levels deep` };
  }
  for (const [name, inner] of Object.entries(value)) {
    const problem = memberProblem(name, inner, { ...at, isListed: Array.isArray(value) });
    if (problem !== null) return problem;
  }
  return null;
}

function memberProblem(name: string, inner: unknown, at: At & { isListed: boolean }): SchemaProblem | null {
  const { kind, walk, isListed } = at;
  const path = [...at.path, name];
  if (isListed || kind === "data") return findProblem(inner, { kind, path, walk });
  if (kind === "schemas by name") return findProblem(inner, { kind: "schema", path, walk });
  const detail = keywordProblem(name, inner, walk);
  if (detail !== null) return { path, detail };
  return findProblem(inner, { kind: getKind(name), path, walk });
}

function getKind(keyword: string): Kind {
  if (DATA.has(keyword)) return "data";
  return BY_NAME.has(keyword) ? "schemas by name" : "schema";
}

function keywordProblem(keyword: string, value: unknown, walk: Walk): string | null {
  if (keyword === "$async") return "is not supported";
  if (REFERENCES.has(keyword)) return referenceProblem(value, walk);
  if (keyword === "pattern" && typeof value === "string") return patternsProblem([value], walk);
  if (keyword === "patternProperties" && isObject(value)) return patternsProblem(Object.keys(value), walk);
  return null;
}

function referenceProblem(value: unknown, walk: Walk): string | null {
  if (++walk.refs > LIMITS.schemaRefs) return `is one of more than ${LIMITS.schemaRefs} references`;
  return typeof value === "string" && value.startsWith("#")
    ? null
    : "must start with # and refer to this schema";
}

function patternsProblem(patterns: readonly string[], walk: Walk): string | null {
  walk.patterns += patterns.length;
  if (walk.patterns > LIMITS.schemaPatterns) return `is one of more than ${LIMITS.schemaPatterns} patterns`;
  for (const pattern of patterns) {
    const problem = patternProblem(pattern);
    if (problem !== null) return problem;
  }
  return null;
}
