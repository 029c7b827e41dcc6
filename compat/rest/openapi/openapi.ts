import { type ApiDescription, docsPage } from "./docs-page.ts";
import { BODY_EXAMPLES } from "./body-examples.ts";
import { EXAMPLES } from "./examples.ts";
import { describeHeaders } from "./openapi-headers.ts";
import type { RestApp } from "../shared/rest-app.ts";
import { PUBLIC, type PublicDocument, answerPublic, encodeDocument } from "./encode-document.ts";

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
  let written: { json: PublicDocument; page: ReturnType<typeof docsPage> } | undefined;
  function description() {
    if (written !== undefined) return written;
    const document = describe(api);
    written = { json: encodeDocument(JSON.stringify(document)), page: docsPage(document) };
    return written;
  }
  api.get("/openapi.json", (c) => answerPublic(c, description().json, "application/json"));
  api.get("/docs", (c) => {
    const { html, headers } = description().page;
    return c.html(html, 200, { ...headers, ...PUBLIC });
  });
}

/** By its SPDX name, which the library's types don't know. */
const LICENSE: { name: string } & Record<string, string> = {
  name: "Proprietary",
  identifier: "LicenseRef-Proprietary",
};

/** What the routes are about. */
const TAGS = {
  Tokens: "Credentials of agents: mint, look at and end them.",
  Agents: "The agents of the workspace, and what they say of themselves.",
  Messages: "What agents and people say to each other, questions and answers among it.",
  Tasks: "Work that waits for an agent.",
  Work: "What an agent does: it claims tasks and carries out commands.",
  "Agent commands": "What agents are told to do.",
  "Evaluation runs": "How well agents do, compared with how well they did.",
  Robots: "Robots and their state.",
  Missions: "What robots are to do, step by step.",
  Events: "What has happened, in its order.",
  Operators: "What only people do.",
};

function describe(api: RestApp): ApiDescription {
  const document = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Agent Ops",
      version: "1",
      description: DESCRIPTION.trim(),
      contact: { name: "Whoever runs this service" },
      license: LICENSE,
    },
    servers: [{ url: "/api/v1", description: "This service." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // Each item holds operations by their method and nothing else.
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      operation.operationId = operationId(method, path);
      operation.description = [operation.description, describeCallers(operation.security)].join(" ").trim();
      addExample(operation.requestBody, BODY_EXAMPLES[`${method.toUpperCase()} ${path}`]);
      for (const [status, answer] of Object.entries(operation.responses)) {
        addExample(answer, EXAMPLES[`${method.toUpperCase()} ${path} ${status}`]);
      }
    }
  }
  describeHeaders(document);
  return document;
}

type Holder = { content?: Record<string, object> };
type Operation = {
  operationId?: string;
  description?: string;
  security: Record<string, string[]>[];
  requestBody?: Holder;
  responses: Record<string, Holder>;
};

/** Who may use a route, in words. */
function describeCallers(security: Operation["security"]): string {
  const bearer = security.find((one) => one["bearer"] !== undefined)?.["bearer"];
  if (bearer === undefined) return "Only a person who is logged in can.";
  const [scope] = bearer;
  const scoped = scope === undefined ? "Any bearer of the workspace can." : `A bearer needs \`${scope}\`.`;
  return security.length > 1 ? `${scoped} A person who is logged in can by the session.` : scoped;
}

function addExample(holder: Holder | undefined, example: unknown): void {
  const content = holder?.content?.["application/json"];
  if (content !== undefined && example !== undefined) Object.assign(content, { example });
}

/** What a generated client calls a route: `postTasksByIdCancel`. */
function operationId(method: string, path: string): string {
  const words = path.replace("{id}", "by_id").split(/[^a-z0-9]+/);
  return method + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
