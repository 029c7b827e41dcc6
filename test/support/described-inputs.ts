import type { Described } from "./described.ts";

/** The parts of a schema that describe inputs. */
export type InputSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, InputSchema>;
  additionalProperties?: boolean | InputSchema;
  items?: InputSchema;
  anyOf?: InputSchema[];
};

/** A route with the schema of its JSON body, or null, and its query parameters. */
export type DescribedRoute = {
  route: string;
  method: string;
  path: string;
  body: InputSchema | null;
  query: { name: string; schema: InputSchema }[];
};

/** Every route of the document. */
export function describedRoutes(document: Described): DescribedRoute[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([name, { requestBody, parameters = [] }]) => {
      const method = name.toUpperCase();
      const body = requestBody?.content["application/json"]?.schema ?? null;
      const query = parameters.filter((one) => one.in === "query");
      return { route: `${method} ${path}`, method, path, body, query };
    }),
  );
}

/** A place in a body: its path, with `0` for the first item of a list, and its schema. */
export type BodyPlace = { at: string[]; name: string; schema: InputSchema };

/** Every place of a body, root first. */
export function listPlaces(document: Described, body: InputSchema): BodyPlace[] {
  return placesWithin(document, { at: [], name: "", schema: body });
}

function placesWithin(document: Described, { at, name, schema }: BodyPlace): BodyPlace[] {
  if (schema.$ref !== undefined) {
    const named = schema.$ref.split("/").at(-1) ?? "";
    const whole = namedSchema(document, named);
    return placesWithin(document, { at, name: name === "" ? named : name, schema: whole });
  }
  const members = Object.entries(schema.properties ?? {});
  const inner = [
    ...(schema.anyOf ?? []).map((one) => ({ at, name, schema: one })),
    ...members.map(([key, member]) => ({ at: [...at, key], name: key, schema: member })),
    ...(schema.items === undefined ? [] : [{ at: [...at, "0"], name, schema: schema.items }]),
  ];
  return [{ at, name, schema }, ...inner.flatMap((one) => placesWithin(document, one))];
}

/** The objects of a body, and whether they reject unknown members. */
export function listObjects(document: Described, body: InputSchema) {
  return listPlaces(document, body)
    .filter(({ schema }) => [schema.type ?? []].flat().includes("object"))
    .map(({ at, name, schema }) => ({ at, name, isClosed: schema.additionalProperties === false }));
}

function namedSchema({ components }: Described, name: string): InputSchema {
  // Where the document has its schemas.
  const { schemas } = components as { schemas: Record<string, InputSchema> };
  const found = schemas[name];
  if (found === undefined) throw new Error(`the document has no schema ${name}`);
  return found;
}
