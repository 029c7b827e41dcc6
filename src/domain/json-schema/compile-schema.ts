import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import { compilePattern } from "./linear-pattern.ts";
import { type SchemaProblem, findDraft, schemaRuleProblem } from "./schema-rules.ts";
import { isObject } from "../kernel/is-object.ts";
import { valueProblem } from "./value-problem.ts";

/** Returns a value's first problem, or null. */
export type Validator = (value: unknown) => SchemaProblem | null;

const regExp = Object.assign(compilePattern, { code: "compilePattern" });

const OPTIONS = {
  strict: false,
  validateFormats: false,
  logger: false,
  // Inherited properties don't count.
  ownProperties: true,
  // With inlining, a schema's size would grow with the product of its references.
  inlineRefs: false,
  // Ajv's optimizer takes more than linear time.
  code: { regExp, optimize: false },
} as const;

type Draft = "draft-07" | "2020-12";

/** The meta-schemas, compiled at import, so that the first schema is not delayed. */
const META = { "draft-07": createAjv("draft-07", OPTIONS), "2020-12": createAjv("2020-12", OPTIONS) };
for (const meta of Object.values(META)) await meta.validateSchema({});

/**
 * Compiles a caller's JSON Schema. This and the validator may take any time and memory, so they run where
 * they can be terminated.
 *
 * @returns the validator, or why the schema can't be used.
 * @see https://json-schema.org/draft/2020-12 (and draft-07, if `$schema` says so)
 */
export function compileSchema(schema: unknown): Validator | SchemaProblem {
  const draft = findDraft(schema) ?? "2020-12";
  const problem = schemaRuleProblem(schema) ?? metaProblem(schema, draft);
  if (problem !== null) return problem;
  try {
    const validate = compile(schema, draft);
    // Endless recursion shows with any value.
    validate({});
    return (value) => (validate(value) ? null : valueProblem(validate.errors ?? []));
  } catch (error) {
    return { path: [], detail: failureDetail(error) };
  }
}

/** Replaces Ajv's `uniqueItems`, which compares each pair of objects. */
function createAjv(draft: Draft, options: Options): Ajv {
  const ajv = draft === "draft-07" ? new Ajv(options) : new Ajv2020(options);
  return ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isAsked: boolean, items: unknown[]) => !isAsked || areUnique(items),
  });
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => canonicalize(item))).size === items.length;
}

/** Uses a new instance each time, so that ids of different schemas don't conflict. */
function compile(schema: unknown, draft: Draft): ValidateFunction {
  const ajv = createAjv(draft, { ...OPTIONS, validateSchema: false, meta: false });
  if (!isObject(schema)) return ajv.compile(schema === true);
  const { $schema: _draft, ...rest } = schema;
  return ajv.compile(rest);
}

function metaProblem(schema: unknown, draft: Draft): SchemaProblem | null {
  if (typeof schema === "boolean") return null;
  if (!isObject(schema)) return { path: [], detail: "must be a JSON Schema" };
  const { $schema: _draft, ...rest } = schema;
  if (META[draft].validateSchema(rest) === true) return null;
  const last: ErrorObject | undefined = META[draft].errors?.at(-1);
  const path = valueProblem(last === undefined ? [] : [last]).path;
  return { path, detail: "is not valid JSON Schema" };
}

function failureDetail(error: unknown): string {
  if (error instanceof Ajv.MissingRefError) return "has a reference that can't be resolved";
  if (error instanceof RangeError) return "has a reference that never ends";
  return "can't be used as a JSON Schema";
}
