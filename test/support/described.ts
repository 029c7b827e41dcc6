import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Answer } from "./client.ts";

type Responses = Record<
  string,
  {
    content?: Record<string, { schema?: object; example?: unknown }>;
    headers?: Record<string, { required?: boolean }>;
  }
>;

/** An OpenAPI document, as far as answers are held against it. */
export type Described = {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: object;
};

/** What is wrong with an answer, by its route's description; null where nothing is. */
export type Check = (method: string, path: string, answer: Answer) => string | null;

/** Makes a check of answers against their description. */
export function checkAgainst(document: Described): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "api", components: document.components });
  const compiled = new Map<object, ValidateFunction>();
  return (method, path, { status, headers, body }) => {
    const described = document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (described === undefined) return `${status} is not described`;
    const missing = Object.keys(described.headers ?? {}).filter((name) => !headers.has(name));
    if (missing.length > 0) return `without ${missing.join(", ")}`;
    const type = (headers.get("content-type") ?? "").split(";")[0] ?? "";
    const schema = described.content?.[type]?.schema;
    if (described.content === undefined) return body === null ? null : "there is a body";
    if (schema === undefined) return `${type} is not described`;
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
    compiled.set(schema, validate);
    return validate(body) ? null : ajv.errorsText(validate.errors);
  };
}

function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'));
}
