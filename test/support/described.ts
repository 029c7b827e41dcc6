import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TestAnswer } from "./test-client.ts";

type Responses = Record<
  string,
  {
    description: string;
    content?: Record<string, { schema?: object; example?: unknown }>;
    headers?: Record<string, { required?: boolean }>;
  }
>;

type Operation = {
  operationId: string;
  summary: string;
  security: Record<string, string[]>[];
  parameters?: {
    in: string;
    name: string;
    description?: string;
    schema: { type?: string; description?: string };
  }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Responses;
};

/** The parts of an OpenAPI document that responses are checked against. */
export type Described = {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};

/** How a response differs from its route's description, or null. */
export type Check = (method: string, path: string, answer: TestAnswer) => string | null;

/** How a route's example body violates the route's schema, or null. */
export function checkBodyExample(document: Described, { requestBody }: Operation): string | null {
  const body = requestBody?.content["application/json"];
  if (body === undefined) return null;
  if (body.example === undefined) return "there is none";
  const ajv = createValidator(document);
  return ajv.validate(toAbsolute(body.schema), body.example) ? null : ajv.errorsText();
}

/** Creates a check of responses against their description. */
export function checkAgainst(document: Described): Check {
  const ajv = createValidator(document);
  const compiled = new Map<object, ValidateFunction>();
  return (method, path, { status, headers, text, body }) => {
    const described = document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (described === undefined) return `${status} is not described`;
    const wrong = wrongHeaders(described.headers ?? {}, headers);
    if (wrong.length > 0) return wrong.join(", ");
    const type = (headers.get("content-type") ?? "").split(";")[0] ?? "";
    const schema = described.content?.[type]?.schema;
    if (described.content === undefined) return body === null ? null : "there is a body";
    if (schema === undefined) return `${type} is not described`;
    const validate = compiled.get(schema) ?? ajv.compile(toAbsolute(schema));
    compiled.set(schema, validate);
    return validate(type === "application/x-ndjson" ? text : body) ? null : ajv.errorsText(validate.errors);
  };
}

function createValidator({ components }: Described): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "api", components });
  return ajv;
}

/** Headers with information for the caller, which have to be documented. */
const TELLING = ["ETag", "Link", "Location", "RateLimit", "Retry-After", "WWW-Authenticate"];

function wrongHeaders(described: Record<string, { required?: boolean }>, sent: Headers): string[] {
  const missing = Object.entries(described).filter(([name, { required }]) => required && !sent.has(name));
  const undescribed = TELLING.filter((name) => sent.has(name) && !(name in described));
  return [
    ...missing.map(([name]) => `without ${name}`),
    ...undescribed.map((name) => `${name} is not described`),
  ];
}

function toAbsolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'));
}
