import type { ApiDescription } from "../openapi/api-description.ts";
import type { DocsSchema } from "./schema-fields.ts";

/** A parameter in the path, the query or a header. Our routes declare all of them inline. */
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: DocsSchema;
};

/** The JSON of a body. */
export type Content = { schema: DocsSchema; example?: unknown };

/** What a status is answered with. */
export type Answer = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Content>;
};

/** A route with what the page shows of it. `path` is below /api/v1, `id` the operation's, which is also its anchor. */
export type DescribedRoute = {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The scope that a bearer needs; empty if any bearer is accepted, null if none is. */
  scope: string | null;
  takesSession: boolean;
  parameters: Parameter[];
  body: Content | undefined;
  answers: [status: string, answer: Answer][];
};

type Operation = NonNullable<NonNullable<ApiDescription["paths"]>[string]["get"]>;

/** All routes, in the order in which they are declared. */
export function listRoutes(document: ApiDescription): DescribedRoute[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    // Each item holds operations by method and nothing else.
    Object.entries(item as Record<string, Operation>).map(([method, operation]) =>
      describeRoute(method.toUpperCase(), path, operation),
    ),
  );
}

function describeRoute(method: string, path: string, operation: Operation): DescribedRoute {
  const { security = [], responses = {} } = operation;
  const bearer = security.find((one) => "bearer" in one)?.["bearer"];
  return {
    id: operation.operationId ?? "",
    method,
    path,
    tag: operation.tags?.[0] ?? "Other",
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    scope: bearer === undefined ? null : (bearer[0] ?? ""),
    takesSession: security.some((one) => "session" in one),
    // Our routes declare parameters, bodies and responses inline.
    parameters: (operation.parameters ?? []) as Parameter[],
    body: getJson((operation.requestBody ?? {}) as Partial<Answer>),
    answers: Object.entries(responses) as [string, Answer][],
  };
}

/** The JSON of a request body or response. */
export function getJson({ content }: Partial<Answer>): Content | undefined {
  return content?.["application/json"];
}
