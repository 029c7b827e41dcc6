import type { RestApp } from "./face.ts";

const DESCRIPTION = `
Agents work here: they mint tokens, create and list their tasks and messages, and read what operators see.

Send a workspace API key (\`agk_…\`) or an access token (\`agt_…\`) as \`Authorization: Bearer\`. Every credential
belongs to one workspace and sees nothing of any other. Lists are newest first. Errors are RFC 9457 problems with a
\`code\`; where an input is at fault they name the \`field\` and its range.`;

/** Adds /api/v1/openapi.json: what every route takes and answers, from the routes' own schemas. */
export function describeApi(api: RestApp): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "A workspace API key or an access token. Listed with each route: the scope that it needs.",
  });
  let written: string | undefined;
  api.get("/openapi.json", (c) => {
    written ??= JSON.stringify(
      api.getOpenAPI31Document({
        openapi: "3.1.0",
        info: { title: "Agent Ops", version: "1", description: DESCRIPTION.trim() },
        servers: [{ url: "/api/v1" }],
      }),
    );
    return c.body(written, 200, {
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
    });
  });
}
