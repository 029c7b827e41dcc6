import { type ApiDescription, docsPage } from "./docs-page.ts";
import { BODY_EXAMPLES } from "./body-examples.ts";
import { EXAMPLES } from "./examples.ts";
import { describeHeaders } from "./openapi-headers.ts";
import type { RestApp } from "./face.ts";

const DESCRIPTION = `
Agents work here: they mint tokens, create and list their tasks and messages, and read what operators see.

Send a workspace API key (\`agk_…\`) or an access token (\`agt_…\`) as \`Authorization: Bearer\`. Every credential
belongs to one workspace and sees nothing of any other. Lists are newest first. Errors are RFC 9457 problems with a
\`code\`; where an input is at fault they name the \`field\` and its range.`;

/** Adds /api/v1/openapi.json and /api/v1/docs: what every route takes and answers, from the routes' own schemas. */
export function describeApi(api: RestApp): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "A workspace API key or an access token. Listed with each route: the scope that it needs.",
  });
  api.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "_agent_ops_key",
    description: "The session of a person who is logged in. A bearer, if there is one, decides alone.",
  });
  // Written when first asked for: by then every route is there.
  let written: { json: string; page: ReturnType<typeof docsPage> } | undefined;
  function description() {
    if (written !== undefined) return written;
    const document = describe(api);
    written = { json: JSON.stringify(document), page: docsPage(document) };
    return written;
  }
  api.get("/openapi.json", (c) =>
    c.body(description().json, 200, { "content-type": "application/json", ...KEPT }),
  );
  api.get("/docs", (c) => {
    const { html, headers } = description().page;
    return c.html(html, 200, { ...headers, ...KEPT });
  });
}

const KEPT = { "cache-control": "public, max-age=300" };

function describe(api: RestApp): ApiDescription {
  const document = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Agent Ops", version: "1", description: DESCRIPTION.trim() },
    servers: [{ url: "/api/v1" }],
  });
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // Each item holds operations by their method and nothing else.
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      operation.operationId = operationId(method, path);
      exemplify(operation.requestBody, BODY_EXAMPLES[`${method.toUpperCase()} ${path}`]);
      for (const [status, answer] of Object.entries(operation.responses)) {
        exemplify(answer, EXAMPLES[`${method.toUpperCase()} ${path} ${status}`]);
      }
    }
  }
  describeHeaders(document);
  return document;
}

type Holder = { content?: Record<string, object> };
type Operation = { operationId?: string; requestBody?: Holder; responses: Record<string, Holder> };

function exemplify(holder: Holder | undefined, example: unknown): void {
  const content = holder?.content?.["application/json"];
  if (content !== undefined && example !== undefined) Object.assign(content, { example });
}

/** What a generated client calls a route: `postTasksByIdCancel`. */
function operationId(method: string, path: string): string {
  const words = path.replace("{id}", "by_id").split(/[^a-z0-9]+/);
  return method + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
