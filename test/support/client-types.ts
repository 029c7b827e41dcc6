/** The subset of OpenAPI 3.1 schemas that we use. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  description?: string;
};

type Content = { content?: Record<string, { schema?: Schema }> };
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
type Body = Content & { required?: boolean };
type Operation = { parameters?: Parameter[]; requestBody?: Body; responses: Record<string, Content> };

/** The parts of an OpenAPI document that types are generated from. */
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Generates the types of src/client from the description of /api/v1: schemas by name, and routes by method and path. */
export function clientTypes({ paths, components }: OpenApi): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${name}: ${renderType(schema)};`,
  );
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      isForStreams(operation) ? [] : [renderRoute(`${method.toUpperCase()} ${path}`, operation)],
    ),
  );
  return [
    "// Generated: npx vitest run test/client/api-types.test.ts --update",
    "",
    "/** What the bodies of /api/v1 are made of, by their names in its description. */",
    `export type Schemas = {\n${schemas.join("\n")}\n};`,
    "",
    "/** Every route of /api/v1 with JSON: what it takes and what it answers when it succeeds. */",
    `export type Routes = {\n${routes.join("\n")}\n};`,
    "",
  ].join("\n");
}

/** The client reads whole answers. */
function isForStreams({ responses }: Operation): boolean {
  return responses["200"]?.content?.["application/x-ndjson"] !== undefined;
}

function renderRoute(name: string, { parameters = [], requestBody, responses }: Operation): string {
  const queries = parameters.filter(({ in: where }) => where === "query");
  const query = queries.map(
    ({ name: key, required, schema }) => `${key}${required === true ? "" : "?"}: ${renderType(schema ?? {})}`,
  );
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => renderType(schema ?? {}));
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content }]) => renderType(content?.["application/json"]?.schema ?? { type: "null" }));
  const members = [
    ...(query.length > 0 ? [`query: { ${query.join("; ")} }`] : []),
    ...(bodies.length > 0
      ? [`body${requestBody?.required === true ? "" : "?"}: ${[...new Set(bodies)].join(" | ")}`]
      : []),
    `answer: ${[...new Set(answers)].join(" | ") || "null"}`,
  ];
  return `  ${JSON.stringify(name)}: { ${members.join("; ")} };`;
}

function renderType(schema: Schema): string {
  const { $ref, enum: values, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return `Schemas["${$ref.split("/").at(-1) ?? ""}"]`;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  // Next to properties, it only says which of them go together.
  if (schema.properties === undefined && (anyOf !== undefined || oneOf !== undefined)) {
    return (anyOf ?? oneOf ?? []).map((one) => `(${renderType(one)})`).join(" | ");
  }
  if (allOf !== undefined) return allOf.map((one) => `(${renderType(one)})`).join(" & ");
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => renderNamed(type, schema)).join(" | ");
}

function renderNamed(type: string, schema: Schema): string {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${renderType(schema.items ?? {})})[]`;
    case "object":
      return renderObject(schema);
    default:
      return type;
  }
}

function renderObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    const comment = schema.description === undefined ? "" : `\n/** ${schema.description} */\n`;
    return `${comment}${name}${isOptional ? "?" : ""}: ${renderType(schema)}`;
  });
  if (members.length > 0) return `{ ${members.join("; ")} }`;
  const others = typeof additionalProperties === "object" ? renderType(additionalProperties) : "unknown";
  return `Record<string, ${others}>`;
}
