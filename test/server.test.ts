import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createUser } from "../src/auth/users/create-user.ts";
import { newAuditKey } from "./support/audit-checkpoints.ts";
import { appendAuditRows } from "./support/audit-rows.ts";
import { createTestClient } from "./support/test-client.ts";
import { openHttpSocket } from "./support/http-socket.ts";
import { lockTable } from "./support/locked-table.ts";
import { PATIENCE } from "./support/patience.ts";
import { sendRawHttp } from "./support/raw-http.ts";
import { type TestServer, startOn, startTestServer } from "./support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("a stopping server", () => {
  it("finishes running requests, is not ready and accepts no new connections", async () => {
    const { apiKey } = await server.createWorkspace();
    const node = await startOn(server.database);
    const table = await lockTable(server.database, "task");
    const socket = await openHttpSocket(node.url);
    const body = JSON.stringify({ title: "Begun before the end" });
    const head = ["POST /api/v1/tasks HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
    const rest = [`Authorization: Bearer ${apiKey}`, `Content-Length: ${body.length}`];
    socket.write(`${[...head, ...rest].join("\r\n")}\r\n\r\n${body}`);
    await table.waiters(1);
    const stopped = node.stop();
    await expect(createTestClient(node.url).get("/healthz")).rejects.toMatchObject({
      cause: { code: "ECONNREFUSED" },
    });
    socket.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await table.release();
    await stopped;
    const answered = await socket.ended;
    expect(answered).toMatch(/^HTTP\/1\.1 201 /);
    expect(answered).toMatch(/HTTP\/1\.1 503 /);
    const made = await server.database.query("SELECT 1 FROM task WHERE title = 'Begun before the end'");
    expect(made).toHaveLength(1);
  });

  it.each([
    ["SIGTERM", ["SIGTERM"]],
    ["a Ctrl-C, which npm passes on", ["SIGINT", "SIGTERM"]],
  ] as const)("exits with 0 on %s, after running requests", async (_what, signals) => {
    const { apiKey } = await server.createWorkspace();
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
    const env = { PATH: "/usr/bin:/bin", DATABASE_URL: server.database.url, PORT: "0", LOG_LEVEL: "silent" };
    const child = spawn(process.execPath, ["--import", "tsx", main], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as string[];
    const url = /http:\S+/.exec(line ?? "")?.[0] ?? "";
    const table = await lockTable(server.database, "task");
    const asked = createTestClient(url, apiKey).post("/api/v1/tasks", { title: "Begun before SIGTERM" });
    await table.waiters(1);
    for (const signal of signals) child.kill(signal);
    await vi.waitFor(() => expect(createTestClient(url).get("/healthz")).rejects.toThrow(), PATIENCE);
    await table.release();
    expect((await asked).status).toBe(201);
    expect(await exited).toEqual([0, null]);
  });
});

describe("a server with AUDIT_KEY", () => {
  it("signs the audit log at start and stop, including its last entry", async () => {
    const { workspaceId } = await server.createWorkspace();
    async function signed(): Promise<number[]> {
      const rows = await server.database.query<{ seq: string }>(
        "SELECT seq FROM audit_checkpoint WHERE workspace_id = $1 ORDER BY number",
        [workspaceId],
      );
      return rows.map(({ seq }) => Number(seq));
    }
    const node = await startOn(server.database, { AUDIT_KEY: newAuditKey() });
    await vi.waitFor(async () => expect(await signed()).toEqual([3]), PATIENCE);
    await appendAuditRows(node.systemCtx(workspaceId), 2);
    await node.stop();
    expect(await signed()).toEqual([3, 5]);
  });
});

describe("GET /healthz and /readyz", () => {
  it("need no credential", async () => {
    const anybody = createTestClient(server.url);
    expect((await anybody.get("/healthz")).status).toBe(200);
    expect((await anybody.get("/readyz")).status).toBe(200);
  });

  it("distinguish a process without its database from a working one", async () => {
    const lost = await startTestServer();
    await lost.database.drop();
    const anybody = createTestClient(lost.url);
    expect((await anybody.get("/healthz")).status).toBe(200);
    const ready = await anybody.get("/readyz");
    expect(ready.status).toBe(503);
    expect(ready.headers.get("retry-after")).toMatch(/^\d+$/);
    const { apiKey } = await server.createWorkspace();
    const asked = await createTestClient(lost.url, apiKey).get("/api/v1/whoami");
    expect(asked.status).toBe(503);
    expect(asked.body.code).toBe("unavailable");
    await lost.stop();
  });

  it("recover after all connections were lost", async () => {
    await server.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'agent-ops'`,
    );
    const ready = async () => expect((await createTestClient(server.url).get("/readyz")).status).toBe(200);
    await vi.waitFor(ready, PATIENCE);
  });
});

describe("every response", () => {
  it("has the caller's request id or a new one", async () => {
    const anybody = createTestClient(server.url);
    for (const path of ["/", "/healthz", "/api/v1/whoami", "/graphql", "/nowhere"]) {
      const kept = await anybody.get(path, { "x-request-id": "my-request.1" });
      expect(kept.headers.get("x-request-id")).toBe("my-request.1");
      const made = await anybody.get(path);
      expect(made.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it.each(["a b", "x".repeat(65), "<script>", "a;b", "ü"])(
    "does not repeat the request id %j",
    async (id) => {
      const answer = await sendRawHttp(server.url, { path: "/healthz", headers: { "x-request-id": id } });
      expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it("is a problem for an unknown path", async () => {
    for (const path of ["/nowhere", "/api/v2", "/users", "/problems/nonsense"]) {
      const { status, headers, body } = await createTestClient(server.url).get(path);
      expect(status).toBe(404);
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(body).toMatchObject({ status: 404, code: "not_found", request_id: headers.get("x-request-id") });
      expect((await createTestClient(server.url).get(new URL(body.type).pathname)).status).toBe(200);
    }
  });

  it.each(["//", "/%", "/%00", "/..%2f..", "/api/v1/tasks/%ff", "/?%", "*"])(
    "is no internal error for the path %j",
    async (path) => {
      const socket = await openHttpSocket(server.url);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(await socket.ended).toMatch(/^HTTP\/1\.1 [2-4]\d\d /);
    },
  );
});

describe("ALLOWED_HOSTS", () => {
  it("rejects every other host with 421, except for health checks", async () => {
    const strict = await startOn(server.database, { ALLOWED_HOSTS: "ops.example.com, Other.example.com" });
    const ask = (host: string, path = "/") => sendRawHttp(strict.url, { path, headers: { host } });
    for (const host of ["ops.example.com", "OPS.example.com:4000", "other.example.com"]) {
      expect((await ask(host)).status).toBe(303);
    }
    for (const host of ["evil.example.com", "127.0.0.1", "ops.example.com.evil.com", "xops.example.com"]) {
      for (const path of ["/", "/api/v1/whoami", "/graphql"]) {
        const refused = await ask(host, path);
        expect(refused.status).toBe(421);
        expect(JSON.parse(refused.text).code).toBe("misdirected_request");
      }
      expect((await ask(host, "/healthz")).status).toBe(200);
      expect((await ask(host, "/readyz")).status).toBe(200);
    }
    await strict.stop();
  });
});

describe("the log", () => {
  it("has one line per request and no secrets, whatever the requests contain", async () => {
    const { apiKey, scimToken, workspaceId } = await server.createWorkspace();
    const agent = createTestClient(server.url, apiKey);
    const minted = (await agent.post("/api/v1/agent_tokens")).body.token as string;
    const socket = (await agent.post("/api/v1/socket_tokens")).body.token as string;
    const password = "a password that nobody may read";
    const person = { email: "log@example.com", password, role: "viewer" as const };
    await createUser(server.systemCtx(workspaceId), server.services.passwords, person);
    const secrets = [apiKey, scimToken, minted, socket];
    for (const secret of secrets) {
      await createTestClient(server.url, secret).get("/api/v1/whoami");
      await createTestClient(server.url, `${secret}x`).graphql("{ viewer { scopes } }");
      await agent.get(`/api/v1/tasks?access_token=${secret}`);
      await agent.delete(`/api/v1/agent_tokens/${secret}`);
      await agent.get(`/api/v1/whoami?token=${secret}`, {
        cookie: `_agent_ops_key=${secret}`,
        referer: `/?${secret}`,
      });
      await agent.post("/api/v1/tokens/introspect", { token: secret });
      await agent.post("/api/v1/tokens/introspect", `{"token":"${secret}`);
      await agent.graphql(`{ introspectToken(token: "${secret}") { uuid } }`);
      await agent.graphql(`{ introspectToken(token: "${secret}" }`);
      await agent.graphql("query ($token: Int) { viewer { scopes } }", { token: secret });
      await agent.post("/graphql", { query: "{ viewer { scopes } }", [secret]: 1 });
    }
    const log = server.logged.join("\n");
    for (const secret of [...secrets, password]) expect(log).not.toContain(secret);
    for (const secret of secrets) expect(log).not.toContain(secret.slice(-40));
    const id = `logged-${crypto.randomUUID()}`;
    await agent.get("/api/v1/tasks?limit=1", { "x-request-id": id });
    const lines = server.logged.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === id);
    expect(lines).toEqual([expect.objectContaining({ method: "GET", path: "/api/v1/tasks", status: 200 })]);
  });
});
