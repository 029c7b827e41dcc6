import { type ApiDescription, docsPage } from "./docs-page.ts";
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
  for (const [route, example] of Object.entries(EXAMPLES)) {
    const [method = "", path = "", status = ""] = route.split(" ");
    // The document is JSON: methods by path, answers by status.
    const answers = document.paths?.[path]?.[method.toLowerCase() as "get"]?.responses;
    const answer = answers?.[status] as { content?: Record<string, object> } | undefined;
    Object.assign(answer?.content?.["application/json"] ?? {}, { example });
  }
  describeHeaders(document);
  return document;
}
