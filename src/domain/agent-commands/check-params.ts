import { createHash } from "node:crypto";
import { createContext, runInContext } from "node:vm";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import { LRUCache } from "lru-cache";
import { validationFailed } from "../input.ts";
import { isDeEscalating } from "./command-types.ts";
import type { CommandedAgent } from "./select-agents.ts";

type Validate = ReturnType<Ajv["compile"]>;
type Declared = { key: string; schema: object | boolean; handle: string };
type Problem = { field: string; detail: string; handle: string };

/** An agent's schema may hold a pattern that never comes to an end: it is left alone for a minute then. */
const TIMEOUT_MS = 250;
const LEFT_ALONE_MS = 60_000;

/** Null for a schema that can't be used. */
const COMPILED = new LRUCache<string, { validate: Validate | null }>({ max: 500 });
const SANDBOX = createContext({});

/**
 * Holds a command's params to what its agents have declared for its type. What an agent has not declared,
 * it is left to refuse itself; what only makes it do less is never refused.
 *
 * @throws {DomainError} validation_failed, which names the first agent that declared otherwise.
 * @see https://json-schema.org/draft/2020-12 (and draft-07, where `$schema` says so)
 */
export function checkParams(agents: readonly CommandedAgent[], type: string, params: object): void {
  if (isDeEscalating(type)) return;
  const declared = new Map<string, Declared>();
  for (const { handle, capabilities } of agents) {
    const schema = declaredSchema(capabilities, type);
    const key = schema === null ? null : digestOf(schema);
    if (schema !== null && key !== null && !declared.has(key)) declared.set(key, { key, schema, handle });
  }
  if (declared.size === 0) return;
  const problem = firstProblem([...declared.values()], params);
  if (problem === null) return;
  const { field, detail, handle } = problem;
  throw validationFailed([{ field, detail: `${detail} (as ${handle} declares ${type})` }]);
}

function declaredSchema(capabilities: unknown, type: string): object | boolean | null {
  if (!Array.isArray(capabilities)) return null;
  const declared: unknown = capabilities.find((one: unknown) => isObject(one) && one["type"] === type);
  const schema = isObject(declared) ? declared["params_schema"] : null;
  return isObject(schema) || typeof schema === "boolean" ? schema : null;
}

/** Node ends what runs too long in a context, whatever it is. A schema that can't be used is no reason to accept. */
function firstProblem(declared: readonly Declared[], params: object): Problem | null {
  const compiled = declared.map((one) => ({ ...one, validate: validatorOf(one) }));
  let current: (typeof compiled)[number] | undefined;
  function check(): Problem | null {
    for (current of compiled) {
      const problem = problemOf(current.validate, params);
      if (problem !== null) return { ...problem, handle: current.handle };
    }
    return null;
  }
  Object.assign(SANDBOX, { check });
  try {
    // What the script gives is what the check gave.
    return runInContext("check()", SANDBOX, { timeout: TIMEOUT_MS }) as Problem | null;
  } catch {
    if (current !== undefined) COMPILED.set(current.key, { validate: null }, { ttl: LEFT_ALONE_MS });
    return { ...UNUSABLE, handle: current?.handle ?? "an agent" };
  }
}

function problemOf(validate: Validate | null, params: object): Omit<Problem, "handle"> | null {
  if (validate === null) return UNUSABLE;
  const isValid: unknown = validate(params);
  if (isValid === true) return null;
  const [error] = validate.errors ?? [];
  // Anything but a boolean is the promise of a schema that asks others.
  if (error === undefined || isValid !== false) return UNUSABLE;
  const path = error.instancePath.split("/").map(unescapePointer);
  return { field: `params${path.join(".")}`, detail: error.message ?? "is not valid" };
}

function validatorOf({ key, schema }: Declared): Validate | null {
  const known = COMPILED.get(key);
  if (known !== undefined) return known.validate;
  const validate = compile(schema);
  COMPILED.set(key, { validate });
  return validate;
}

/** Null for what is no schema. Each is compiled by an instance of its own, where its ids meet no other's. */
function compile(schema: object | boolean): Validate | null {
  const { $schema: draft = "", ...rest } = isObject(schema) ? schema : { not: schema ? { not: {} } : {} };
  const isOlder = String(draft).includes("draft-07");
  try {
    if (META[isOlder ? "older" : "newest"].validateSchema(rest) !== true) return null;
    const options = { ...OPTIONS, validateSchema: false, meta: false } as const;
    return (isOlder ? new Ajv(options) : new Ajv2020(options)).compile(rest);
  } catch {
    return null;
  }
}

const OPTIONS = { strict: false, validateFormats: false, logger: false } as const;
/** What schemas themselves are held to, compiled once. */
const META = { older: new Ajv(OPTIONS), newest: new Ajv2020(OPTIONS) };

const UNUSABLE = { field: "params", detail: "can't be checked against the schema that is declared for them" };

function digestOf(schema: object | boolean): string {
  return createHash("sha256")
    .update(canonicalize(schema) ?? "")
    .digest("base64");
}

function unescapePointer(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
