import { DOCS_POLICY } from "../docs/docs-assets.ts";
import { docsPage } from "../docs/docs-page.ts";
import type { ApiDescription } from "./api-description.ts";
import { BODY_EXAMPLES } from "./body-examples.ts";
import { EXAMPLES } from "./examples.ts";
import { describeHeaders } from "./openapi-headers.ts";
import type { RestApp } from "../shared/rest-app.ts";
import { type PublicDocument, answerPublic, encodeDocument } from "./encode-document.ts";

const DESCRIPTION = `
Agents use this API to mint tokens, work on tasks and commands, send messages, report on robots, missions and
evaluation runs, and follow events.

Send a workspace API key (\`agk_…\`) or an access token (\`agt_…\`) as \`Authorization: Bearer\`. Every credential
belongs to one workspace and can't access any other. Lists are newest first. Errors are RFC 9457 problems with a
\`code\`; for invalid input they name the \`field\` and its allowed range.`;

/** Adds /api/v1/openapi.json and /api/v1/docs, generated from the routes' own schemas. */
export function describeApi(api: RestApp): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "A workspace API key or an access token. Each route lists the scope it requires.",
  });
  api.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "_agent_ops_key",
    description: "A user's session. Ignored if the request has a bearer.",
  });
  // Generated on first use, when all routes have been added, and kept.
  let written: Promise<{ json: PublicDocument; page: PublicDocument }> | undefined;
  async function write() {
    const document = describe(api);
    return { json: encodeDocument(JSON.stringify(document)), page: encodeDocument(await docsPage(document)) };
  }
  function read() {
    written ??= write();
    return written;
  }
  api.get("/openapi.json", async (c) => answerPublic(c, (await read()).json, { type: "application/json" }));
  api.get("/docs", async (c) =>
    answerPublic(c, (await read()).page, { type: "text/html; charset=utf-8", policy: DOCS_POLICY }),
  );
}

/** `identifier` is missing from the library's types. */
const LICENSE: { name: string } & Record<string, string> = {
  name: "Proprietary",
  identifier: "LicenseRef-Proprietary",
};

const TAGS = {
  Tokens: "Credentials of agents: mint, inspect and revoke them.",
  Agents: "The agents of the workspace and their profiles.",
  Messages: "Messages between agents and people, including questions and answers.",
  Tasks: "Work for agents to claim.",
  Work: "For agents at work: claim tasks and execute commands.",
  "Agent commands": "Orders to agents.",
  "Evaluation runs": "Results of evaluations, compared with a baseline.",
  Robots: "The state of robots.",
  Missions: "Work for robots, step by step.",
  Gateway: "Permission before acting.",
  Budgets: "What agents may use: reserve before, settle after.",
  Traces: "What agents did, step by step, as OpenTelemetry describes it.",
  Usage: "What calls of models used and cost, each charged once.",
  Events: "What has happened, in order.",
  Operators: "Actions for users only.",
};

function describe(api: RestApp): ApiDescription {
  const document = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Agent Ops",
      version: "1",
      description: DESCRIPTION.trim(),
      contact: { name: "The operator of this service" },
      license: LICENSE,
    },
    servers: [{ url: "/api/v1", description: "This service." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // Each item holds operations by method and nothing else.
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

/** Describes who may use a route. */
function describeCallers(security: Operation["security"]): string {
  const bearer = security.find((one) => one["bearer"] !== undefined)?.["bearer"];
  if (bearer === undefined) return "Requires a user session.";
  const [scope] = bearer;
  const scoped =
    scope === undefined ? "Any bearer is accepted." : `A bearer requires the scope \`${scope}\`.`;
  return security.length > 1 ? `${scoped} A user session is also accepted.` : scoped;
}

function addExample(holder: Holder | undefined, example: unknown): void {
  const content = holder?.content?.["application/json"];
  if (content !== undefined && example !== undefined) Object.assign(content, { example });
}

/** The name of the operation in generated clients: `postTasksByIdCancel`. */
function operationId(method: string, path: string): string {
  const words = path.replace("{id}", "by_id").split(/[^a-z0-9]+/);
  return method + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
