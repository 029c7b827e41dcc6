import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLES } from "../../../compat/rest/openapi/examples.ts";
import { budgetAnswers } from "../../support/budget-answers.ts";
import { createKeyWith } from "../../support/callers.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../../support/test-client.ts";
import { BODY_EXAMPLES } from "../../../compat/rest/openapi/body-examples.ts";
import { type Check, type Described, checkAgainst, checkBodyExample } from "../../support/described.ts";
import {
  insertTestAgent,
  createAgentCommand,
  insertTestEvalRun,
  insertTestMission,
} from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { commandAnswers } from "../../support/command-answers.ts";
import { approvalAnswers } from "../../support/approval-answers.ts";
import { gatewayAnswers } from "../../support/gateway-answers.ts";
import { traceAnswers } from "../../support/trace-answers.ts";
import { missionAnswers } from "../../support/mission-answers.ts";
import { robotAnswers } from "../../support/robot-answers.ts";
import { executionAnswers } from "../../support/execution-answers.ts";
import { evalAnswers } from "../../support/eval-answers.ts";
import { workAnswers } from "../../support/work-answers.ts";

let server: TestServer;
let agent: TestClient;
let workspaceId: string;
let document: Described;
let check: Check;
const held = new Set<string>();

beforeAll(async () => {
  server = await startTestServer();
  const workspace = await server.createWorkspace();
  const { apiKey } = workspace;
  ({ workspaceId } = workspace);
  agent = createTestClient(server.url, apiKey);
  const ctx = server.systemCtx(workspaceId);
  const robot = await insertTestAgent(ctx, "robot");
  await insertTestEvalRun(ctx, { status: "completed", verdict: "passed" });
  await createAgentCommand(ctx, robot);
  await insertTestMission(ctx, { robotId: robot, status: "running" });
  document = (await createTestClient(server.url).get("/api/v1/openapi.json")).body;
  check = checkAgainst(document);
});

afterAll(() => server.close());

/** All routes of the document. */
function routes() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([name, operation]) => {
      const method = name.toUpperCase();
      return { route: `${method} ${path}`, method, path, operation };
    }),
  );
}

/** The routes that match a condition. */
function routesWith(isSo: (operation: Described["paths"][string][string]) => boolean): string[] {
  return routes().flatMap(({ route, operation }) => (isSo(operation) ? [route] : []));
}

/** Checks a response against its description. */
function expectDescribed(method: string, path: string, answer: TestAnswer): void {
  held.add(`${method} ${path} ${answer.status}`);
  expect(check(method, path, answer), `${method} ${path} ${answer.status}`).toBeNull();
  if (answer.status < 400) return;
  const { description } = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status] ?? {};
  expect(description, `${method} ${path}`).toContain(`\`${answer.body.code}\``);
}

describe("GET /api/v1/openapi.json", () => {
  it("is a valid OpenAPI 3.1 document", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it("gives every route a summary, a unique operation id and its security", () => {
    const names = routes().map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { route, operation } of routes()) {
      expect(operation, route).toMatchObject({ summary: expect.any(String), security: expect.any(Array) });
    }
  });

  it("describes the responses to unauthenticated requests and tokens in the URL", async () => {
    expect(routes().length).toBeGreaterThanOrEqual(17);
    for (const { route, method, path } of routes()) {
      const url = `/api/v1${path.replace("{id}", "x")}`;
      const anonymous = await createTestClient(server.url).send(url, { method });
      expect(anonymous.body.code, route).toBe("unauthenticated");
      expectDescribed(method, path, anonymous);
      const exposed = await createTestClient(server.url).send(`${url}?access_token=x`, { method });
      expect(exposed.body.code, route).toBe("invalid_request");
      expectDescribed(method, path, exposed);
    }
  });

  it("names the scope of every route", async () => {
    const other = await createKeyWith(server, workspaceId, ["tokens:introspect"]);
    for (const { route, method, path, operation } of routes()) {
      const scope = operation.security.find(({ bearer }) => bearer !== undefined)?.["bearer"]?.[0];
      // The caller's own credential needs no scope there.
      if (scope === undefined || scope === "tokens:introspect") continue;
      const url = `/api/v1${path.replace("{id}", crypto.randomUUID())}`;
      const refused = await createTestClient(server.url, other).send(url, { method });
      expect(refused.headers.get("www-authenticate"), route).toContain(`scope="${scope}"`);
      expectDescribed(method, path, refused);
    }
  });

  it("documents If-Match and Idempotency-Key where they are supported", async () => {
    for (const { route, method, path, operation } of routes()) {
      const parameters = operation.parameters ?? [];
      const isHeader = (name: string) => parameters.some((one) => one.in === "header" && one.name === name);
      const isInBody = /^\/operator\/approvals\/\{id\}\/(?:approve|deny)$/.test(path);
      expect(isHeader("If-Match"), route).toBe("412" in operation.responses && !isInBody);
      if (method !== "POST" || path.includes("{id}") || path === "/agent_tokens") continue;
      const answer = await agent.send(`/api/v1${path}`, {
        method,
        body: {},
        headers: { "idempotency-key": "é" },
      });
      expect(answer.body?.field === "Idempotency-Key", route).toBe(isHeader("Idempotency-Key"));
    }
  });

  it("describes every parameter", () => {
    const silent = routes().flatMap(({ route, operation }) =>
      (operation.parameters ?? [])
        .filter(({ description, schema }) => (description ?? schema.description ?? "") === "")
        .map(({ name }) => `${route} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it("names specific error codes on the routes that return them", () => {
    const answering = (code: string) =>
      routesWith(({ responses }) =>
        Object.values(responses).some(({ description }) => description.includes(`\`${code}\``)),
      );
    const keyed = routesWith(({ parameters = [] }) =>
      parameters.some(({ name }) => name === "Idempotency-Key"),
    );
    const asking = routesWith(({ parameters = [] }) => parameters.some((one) => one.in === "query"));
    expect(answering("idempotency_mismatch")).toEqual(keyed);
    expect(answering("idempotency_conflict")).toEqual(keyed);
    expect(answering("invalid_parameter").toSorted()).toEqual([...asking, ...keyed].toSorted());
    expect(answering("invalid_body")).toEqual(routesWith(({ responses }) => "415" in responses));
    expect(answering("token_limit")).toEqual(["POST /agent_tokens"]);
  });

  it("has a valid example of every body", () => {
    const described = routes().filter(({ operation }) => operation.requestBody !== undefined);
    for (const { route, operation } of described) {
      expect(checkBodyExample(document, operation), route).toBeNull();
    }
    expect(Object.keys(BODY_EXAMPLES).toSorted()).toEqual(described.map(({ route }) => route).toSorted());
  });

  it.each(["/tasks", "/eval_runs", "/operator/missions", "/agent_tokens", "/socket_tokens"])(
    "has an example body that POST %s accepts",
    async (path) => {
      expect((await agent.post(`/api/v1${path}`, BODY_EXAMPLES[`POST ${path}`])).status).toBe(201);
    },
  );

  it("has valid examples", () => {
    for (const [route, example] of Object.entries(EXAMPLES)) {
      const [method = "", path = "", status = ""] = route.split(" ");
      const described = document.paths[path]?.[method.toLowerCase()]?.responses[status]?.headers ?? {};
      const headers = new Headers({ "content-type": "application/json" });
      for (const name of Object.keys(described)) headers.set(name, "x");
      const answer = { status: Number(status), headers, text: "", body: example };
      expect(check(method, path, answer), route).toBeNull();
    }
  });
});

describe("every response of /api/v1", () => {
  it("is as described for valid requests", async () => {
    const task = await agent.post("/api/v1/tasks", {
      title: "One",
      input: [{ text: "a" }, { data: { b: 1 } }],
      labels: { team: "x" },
    });
    const message = await agent.post("/api/v1/messages", {
      parts: [{ text: "Which?" }],
      kind: "question",
      task_id: task.body.task.id,
    });
    const id = crypto.randomUUID();
    await agent.post("/api/v1/messages", { id, parts: [{ text: "again" }] });
    const token = await agent.post("/api/v1/agent_tokens", { name: "one" });
    const good: [string, string, TestAnswer][] = [
      ["POST", "/tasks", task],
      ["POST", "/messages", message],
      ["POST", "/messages", await agent.post("/api/v1/messages", { id, parts: [{ text: "again" }] })],
      ["GET", "/tasks/{id}", await agent.get(`/api/v1/tasks/${task.body.task.id}`)],
      ["GET", "/messages/{id}", await agent.get(`/api/v1/messages/${message.body.message.id}`)],
      ["POST", "/agent_tokens", token],
      ["POST", "/socket_tokens", await agent.post("/api/v1/socket_tokens", {})],
      ["GET", "/agent_tokens", await agent.get("/api/v1/agent_tokens")],
      [
        "POST",
        "/tokens/introspect",
        await agent.post("/api/v1/tokens/introspect", { token: token.body.token }),
      ],
      ["POST", "/tokens/introspect", await agent.post("/api/v1/tokens/introspect", { token: "none" })],
      ["POST", "/tokens/revoke", await agent.post("/api/v1/tokens/revoke", { token: "none" })],
      ["DELETE", "/agent_tokens/{id}", await agent.delete(`/api/v1/agent_tokens/${token.body.id}`)],
      ["GET", "/whoami", await agent.get("/api/v1/whoami")],
      ["GET", "/events", await agent.get("/api/v1/events")],
    ];
    good.push(...(await commandAnswers(agent)));
    good.push(...(await robotAnswers(server.url, agent)));
    good.push(...(await gatewayAnswers(agent)));
    good.push(...(await traceAnswers(agent)));
    good.push(...(await budgetAnswers(server.systemCtx(workspaceId), agent)));
    good.push(...(await approvalAnswers(server, workspaceId, agent)));
    good.push(...(await executionAnswers(server, workspaceId, agent)));
    good.push(...(await missionAnswers(server.url, agent)));
    good.push(...(await evalAnswers(server, workspaceId, agent)));
    good.push(...(await workAnswers(server, workspaceId, agent)));
    const lists = ["/messages", "/tasks", "/operator/eval_runs", "/operator/agent_commands"];
    for (const path of [...lists, "/operator/robots", "/operator/missions"]) {
      const listed = await agent.get(`/api/v1${path}`);
      good.push(["GET", path, listed]);
      const etag = listed.headers.get("etag") ?? "";
      good.push(["GET", path, await agent.get(`/api/v1${path}`, { "if-none-match": etag })]);
    }
    for (const [method, path, answer] of good) {
      expect(answer.status, `${method} ${path}`).toBeLessThan(400);
      expectDescribed(method, path, answer);
    }
    const promised = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => Number(status) < 300)
          .map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
    expect(promised.filter((answer) => !held.has(answer))).toEqual([]);
  });

  it("is as described for rejected requests", async () => {
    const none = crypto.randomUUID();
    const minted = await agent.post("/api/v1/agent_tokens", { scopes: ["traces:write"] });
    const narrow = createTestClient(server.url, minted.body.token);
    const json = { "content-type": "application/json" };
    const refused: [string, string, TestAnswer][] = [
      ["GET", "/tasks", await agent.get("/api/v1/tasks?limit=x")],
      ["GET", "/tasks/{id}", await agent.get(`/api/v1/tasks/${none}`)],
      ["GET", "/messages/{id}", await agent.get(`/api/v1/messages/${none}`)],
      ["GET", "/messages", await narrow.get("/api/v1/messages")],
      ["POST", "/agent_tokens", await narrow.post("/api/v1/agent_tokens", {})],
      ["POST", "/agent_tokens", await agent.post("/api/v1/agent_tokens", { scopes: [] })],
      ["POST", "/agent_tokens", await agent.post("/api/v1/agent_tokens", { expires_in: 1 })],
      ["DELETE", "/agent_tokens/{id}", await agent.delete(`/api/v1/agent_tokens/${none}`)],
      ["POST", "/tasks", await agent.post("/api/v1/tasks", { title: "" })],
      ["POST", "/tasks", await agent.post("/api/v1/tasks", "{", json)],
      ["POST", "/tasks", await agent.post("/api/v1/tasks", "a", { "content-type": "text/plain" })],
      ["POST", "/tasks", await agent.post("/api/v1/tasks", { title: "x".repeat(1_100_000) })],
    ];
    const { id } = (await agent.post("/api/v1/tasks", { title: "x" })).body.task;
    for (const act of ["heartbeat", "complete", "fail", "reject", "release", "cancel_ack"]) {
      const path = `/tasks/{id}/${act}`;
      const lost = await agent.post(`/api/v1/tasks/${id}/${act}`, BODY_EXAMPLES[`POST ${path}`]);
      expect(lost.body.code, path).toBe("lease_lost");
      refused.push(["POST", path, lost]);
    }
    for (const [method, path, answer] of refused) {
      expect(answer.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      expectDescribed(method, path, answer);
    }
  });
});
