import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compilePattern } from "./linear-pattern.ts";
import { type SchemaProblem, findDraft, schemaRuleProblem } from "./schema-rules.ts";
import { isObject } from "../kernel/is-object.ts";
import { valueProblem } from "./value-problem.ts";

/** Tells what is wrong with a value first, or null. */
export type Validator = (value: unknown) => SchemaProblem | null;

const regExp = Object.assign(compilePattern, { code: "compilePattern" });

const OPTIONS = {
  strict: false,
  validateFormats: false,
  logger: false,
  // What every object inherits is no property of it.
  ownProperties: true,
  // Written out at each of its references, a schema would grow by their product.
  inlineRefs: false,
  // Its optimizer takes more than linear time.
  code: { regExp, optimize: false },
} as const;

/** What schemas themselves are held to, compiled here and now, so that the first schema does not pay for it. */
const META = { "draft-07": new Ajv(OPTIONS), "2020-12": new Ajv2020(OPTIONS) };
for (const meta of Object.values(META)) await meta.validateSchema({});

/**
 * Compiles a caller's JSON Schema. It and the validator may take any time, and memory: they run where they
 * can be ended.
 *
 * @returns the validator, or why the schema can't be used.
 * @see https://json-schema.org/draft/2020-12 (and draft-07, where `$schema` says so)
 */
export function compileSchema(schema: unknown): Validator | SchemaProblem {
  const draft = findDraft(schema) ?? "2020-12";
  const problem = schemaRuleProblem(schema) ?? metaProblem(schema, draft);
  if (problem !== null) return problem;
  try {
    const validate = compile(schema, draft);
    // One that never comes to an end shows it with the least of values.
    validate({});
    return (value) => (validate(value) ? null : valueProblem(validate.errors ?? []));
  } catch (error) {
    return { path: [], detail: failureDetail(error) };
  }
}

/** Each by an instance of its own, where its ids meet no other's. */
function compile(schema: unknown, draft: keyof typeof META): ValidateFunction {
  const options = { ...OPTIONS, validateSchema: false, meta: false } as const;
  const ajv = draft === "draft-07" ? new Ajv(options) : new Ajv2020(options);
  if (!isObject(schema)) return ajv.compile(schema === true);
  const { $schema: _draft, ...rest } = schema;
  return ajv.compile(rest);
}

function metaProblem(schema: unknown, draft: keyof typeof META): SchemaProblem | null {
  if (typeof schema === "boolean") return null;
  if (!isObject(schema)) return { path: [], detail: "must be a JSON Schema" };
  const { $schema: _draft, ...rest } = schema;
  if (META[draft].validateSchema(rest) === true) return null;
  const last: ErrorObject | undefined = META[draft].errors?.at(-1);
  const path = valueProblem(last === undefined ? [] : [last]).path;
  return { path, detail: "is not what JSON Schema allows there" };
}

function failureDetail(error: unknown): string {
  if (error instanceof Ajv.MissingRefError) return "holds a reference that leads nowhere";
  if (error instanceof RangeError) return "refers to itself without an end";
  return "can't be used as a JSON Schema";
}
