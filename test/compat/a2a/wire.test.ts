import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Peer, VERSION, createPeer, createWire, newQueue } from "../../support/a2a.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";
const BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest";

let world: TestWorld;
let peer: Peer;

beforeAll(async () => {
  world = await createWorld();
  peer = await createPeer(world, "JSONRPC");
});

afterAll(() => world.server.close());

function message(fields: object = {}) {
  return { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "Hello" }], ...fields };
}

const NOW = { returnImmediately: true };

type Route = [method: string, path: string, body?: unknown, by?: TestClient];

/** What both bindings say of an error. */
async function fail(method: string, params: object, [verb, path, body, by = peer.plain]: Route) {
  const { rpc, http } = createWire(by);
  const [byRpc, byHttp] = [await rpc(method, params), await http.send(path, { method: verb, body })];
  expect(byHttp.headers.get("content-type")).toBe("application/a2a+json");
  expect(byRpc.body).toMatchObject({ jsonrpc: "2.0", id: 1 });
  const { code, message: text, data = [] } = byRpc.body.error;
  const { error } = byHttp.body;
  expect(error.code).toBe(byHttp.status);
  expect([text, data]).toEqual([error.message, error.details]);
  return {
    ...{ code, rpcStatus: byRpc.status, status: byHttp.status, name: error.status },
    reason: data[0]?.reason ?? data[0]?.fieldViolations?.map(({ field }: { field: string }) => field),
    details: data,
    text,
    headers: byHttp.headers,
  };
}

describe("errors", () => {
  it("of the protocol are the same by both bindings", async () => {
    const id = crypto.randomUUID();
    const config = { url: "https://example.com/hook" };
    const push = { code: -32003, status: 400, reason: "PUSH_NOTIFICATION_NOT_SUPPORTED", rpcStatus: 200 };
    const at = `/tasks/${id}/pushNotificationConfigs`;
    expect(
      await fail("CreateTaskPushNotificationConfig", { taskId: id, ...config }, ["POST", at, config]),
    ).toMatchObject(push);
    expect(
      await fail("GetTaskPushNotificationConfig", { taskId: id, id: "1" }, ["GET", `${at}/1`]),
    ).toMatchObject(push);
    expect(await fail("ListTaskPushNotificationConfigs", { taskId: id }, ["GET", at])).toMatchObject(push);
    expect(
      await fail("DeleteTaskPushNotificationConfig", { taskId: id, id: "1" }, ["DELETE", `${at}/1`]),
    ).toMatchObject(push);
    const sent = { message: message(), configuration: { taskPushNotificationConfig: config } };
    expect(await fail("SendMessage", sent, ["POST", "/message:send", sent])).toMatchObject(push);
    expect(await fail("GetTask", { id }, ["GET", `/tasks/${id}`])).toMatchObject({
      ...{ code: -32001, rpcStatus: 200, status: 404, name: "NOT_FOUND" },
      details: [{ "@type": ERROR_INFO, reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" }],
    });
  });

  it("name the parameters that are wrong", async () => {
    const bad = { code: -32602, rpcStatus: 200, status: 400, name: "INVALID_ARGUMENT" };
    const tasks = { status: "TASK_STATE_RUNNING", pageSize: 150, historyLength: -5, contextId: "x" };
    const found = await fail("ListTasks", tasks, [
      "GET",
      "/tasks?status=TASK_STATE_RUNNING&pageSize=150&historyLength=-5&contextId=x",
    ]);
    expect(found).toMatchObject({ ...bad, details: [{ "@type": BAD_REQUEST }] });
    expect(found.reason.toSorted()).toEqual(["contextId", "historyLength", "pageSize", "status"]);
  });

  it.each([
    ["no message", {}, ["message"]],
    ["no parts", { message: message({ parts: [] }) }, ["message.parts"]],
    ["no message id", { message: message({ messageId: "" }) }, ["message.messageId"]],
    ["another role", { message: message({ role: "ROLE_AGENT" }) }, ["message.role"]],
    ["a part of two kinds", { message: message({ parts: [{ text: "a", data: 1 }] }) }, ["message.parts.0"]],
    ["a part of none", { message: message({ parts: [{}] }) }, ["message.parts.0"]],
    ["a part that is no Base64", { message: message({ parts: [{ raw: "?" }] }) }, ["message.parts.0.raw"]],
    [
      "a part with a path",
      { message: message({ parts: [{ url: "file:///etc" }] }) },
      ["message.parts.0.url"],
    ],
    ["a foreign context", { message: message({ contextId: "mine" }) }, ["message.contextId"]],
    ["a text that can't be stored", { message: message({ messageId: "\u0000" }) }, ["message.messageId"]],
    [
      "a queue that is none",
      { message: message(), metadata: { "agent-ops/queue": "A b" } },
      ["metadata.agent-ops/queue"],
    ],
    [
      "a queue that is no text",
      { message: message({ metadata: { "agent-ops/queue": 1 } }) },
      ["metadata.agent-ops/queue"],
    ],
    ["metadata that is none", { message: message({ metadata: [] }) }, ["message.metadata"]],
    ["much metadata", { message: message({ metadata: { a: "x".repeat(17_000) } }) }, ["message.metadata"]],
  ])("name what is wrong with %s", async (_name, params, fields) => {
    const { code, reason } = await fail("SendMessage", params, ["POST", "/message:send", params]);
    expect([code, reason]).toEqual([-32602, fields]);
  });

  it("say which scope is missing", async () => {
    const reader = (await createPeer(world, "JSONRPC", ["tasks:read"])).plain;
    const sent = { message: message() };
    expect(await fail("SendMessage", sent, ["POST", "/message:send", sent, reader])).toMatchObject({
      ...{ code: -31403, rpcStatus: 403, status: 403, name: "PERMISSION_DENIED" },
      ...{ reason: "INSUFFICIENT_SCOPE", text: "This requires the scope tasks:write." },
    });
    const writer = (await createPeer(world, "JSONRPC", ["tasks:write"])).plain;
    const id = crypto.randomUUID();
    const refused: [string, object, Route][] = [
      ["SendMessage", sent, ["POST", "/message:send", sent, writer]],
      ["GetTask", { id }, ["GET", `/tasks/${id}`, undefined, writer]],
      ["ListTasks", {}, ["GET", "/tasks", undefined, writer]],
    ];
    for (const [method, params, route] of refused) {
      expect(await fail(method, params, route)).toMatchObject({
        code: -31403,
        reason: "INSUFFICIENT_SCOPE",
      });
    }
    const { body } = await world.agent.post("/api/v1/tasks", { title: "A task" });
    const more = { message: message({ taskId: body.task.id }) };
    const silent = (await createPeer(world, "JSONRPC", ["tasks:read", "tasks:write"])).plain;
    expect(await fail("SendMessage", more, ["POST", "/message:send", more, silent])).toMatchObject({
      text: "This requires the scope messages:read.",
    });
    const cancel = { id: body.task.id };
    expect(
      await fail("CancelTask", cancel, ["POST", `/tasks/${cancel.id}:cancel`, {}, reader]),
    ).toMatchObject({
      text: "This requires the scope tasks:write.",
    });
  });

  it("say how to authenticate", async () => {
    const nobody = createTestClient(world.server.url);
    for (const { status, headers, body } of [
      await nobody.post("/a2a", {}, VERSION),
      await nobody.get("/a2a/v1/tasks", VERSION),
    ]) {
      expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="agent-ops"']);
      expect(body.error.message).toMatch(/Authorization header/);
    }
    const cookie = createTestClient(world.server.url, undefined, { cookie: "session=x" });
    expect((await cookie.get("/a2a/v1/tasks", VERSION)).status).toBe(401);
  });

  it("tell nothing of what is wrong with JSON that can't be read", async () => {
    const post = (body: string, type = "application/json") =>
      peer.plain.send("/a2a", { method: "POST", body, headers: { ...VERSION, "content-type": type } });
    expect((await post("{")).body).toEqual({
      ...{ jsonrpc: "2.0", id: null },
      error: { code: -32700, message: "The body is not valid JSON." },
    });
    const request = { jsonrpc: "2.0", id: 7, method: "GetTask", params: { id: "1" } };
    for (const wrong of [
      ...[[], [request], "GetTask", { ...request, jsonrpc: "1.0" }, { ...request, id: null }],
      ...[
        { ...request, id: 1.5 },
        { ...request, id: "i".repeat(257) },
        { ...request, method: 1 },
      ],
      { jsonrpc: "2.0", method: "GetTask" },
    ]) {
      const { status, body } = await post(JSON.stringify(wrong));
      expect([status, body.error.code]).toEqual([200, -32600]);
    }
    const other = await post(JSON.stringify({ ...request, method: "tasks/get" }));
    expect([other.status, other.body.id, other.body.error.code]).toEqual([200, 7, -32601]);
    const list = await post(JSON.stringify({ ...request, params: [] }));
    expect([list.body.id, list.body.error.code]).toEqual([7, -32602]);
    expect((await post("{}", "text/plain")).status).toBe(415);
    const http = await peer.plain.post("/a2a/v1/message:send", "{", VERSION);
    expect([http.status, http.body.error.status]).toEqual([400, "INVALID_ARGUMENT"]);
    const array = await peer.plain.post("/a2a/v1/message:send", "[]", VERSION);
    expect([array.status, array.body.error.message]).toEqual([400, "The body must be a JSON object."]);
  });

  it("name the methods of a path", async () => {
    const got = await peer.plain.get("/a2a");
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    const { http } = createWire(peer.plain);
    const posted = await http.post("/tasks", {});
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
    expect(posted.body.error.status).toBe("UNIMPLEMENTED");
    for (const path of ["", "/", "/tasks/a/b", "/a/b/tasks", "/tasks/1:pause", "/message:send/x"]) {
      const { status, body } = await http.get(path);
      expect([path, status, body.error.status]).toEqual([path, 404, "NOT_FOUND"]);
    }
  });
});

describe("A2A-Version", () => {
  const list = { jsonrpc: "2.0", id: 1, method: "ListTasks" };

  it.each([undefined, "", "0.3", "1.1", "2.0", "1", "x"])("is refused if it is %s", async (version) => {
    const headers: Record<string, string> = version === undefined ? {} : { "a2a-version": version };
    const byRpc = await peer.plain.post("/a2a", list, headers);
    expect([byRpc.status, byRpc.body.id, byRpc.body.error.code]).toEqual([200, 1, -32009]);
    const byHttp = await peer.plain.get("/a2a/v1/tasks", headers);
    expect([byHttp.status, byHttp.body.error.details[0].reason]).toEqual([400, "VERSION_NOT_SUPPORTED"]);
  });

  it("may have a patch, and may be a parameter", async () => {
    const { plain } = peer;
    expect((await plain.get("/a2a/v1/tasks", { "a2a-version": "1.0.3" })).status).toBe(200);
    expect((await plain.get("/a2a/v1/tasks?A2A-Version=1.0")).status).toBe(200);
    expect((await plain.post("/a2a?A2A-Version=1.0", list)).body.result.pageSize).toBe(50);
  });
});

describe("a request", () => {
  it("may name a tenant, which says nothing", async () => {
    const { rpc, http } = createWire(peer.plain);
    const other = (await world.another()).workspaceId;
    const sent = { message: message(), configuration: NOW, metadata: { "agent-ops/queue": newQueue() } };
    const made = await http.post(`/${other}/message:send`, { ...sent, tenant: other });
    expect(made.status).toBe(200);
    const { id } = made.body.task;
    expect((await http.get(`/tasks/tasks/${id}`)).status).toBe(404);
    expect((await http.get(`/x/tasks/${id}`)).body.id).toBe(id);
    expect((await rpc("GetTask", { id, tenant: other })).body.result.id).toBe(id);
    expect((await world.agent.get(`/api/v1/tasks/${id}`)).body.task.id).toBe(id);
  });

  it("ignores what the protocol doesn't name, takes null for nothing, and its own media type", async () => {
    const { http } = createWire(peer.plain);
    const sent = {
      message: message({ contextId: "", taskId: null, extensions: ["x"], surprise: 1, metadata: null }),
      configuration: { ...NOW, acceptedOutputModes: ["image/png"], surprise: 1, historyLength: 0 },
    };
    const headers = { ...VERSION, "content-type": "application/a2a+json" };
    const { status, body } = await http.post("/message:send", sent, headers);
    expect(status).toBe(200);
    expect(Object.keys(body.task).toSorted()).toEqual(["artifacts", "contextId", "id", "metadata", "status"]);
  });

  it("is counted", async () => {
    const limited = await createWorld({ RATE_LIMIT: "1" });
    try {
      const { plain } = await createPeer(limited, "JSONRPC");
      const { rpc, http } = createWire(plain);
      const answers = await Promise.all(Array.from({ length: 5 }, () => rpc("ListTasks")));
      const refused = answers.find(({ status }) => status === 429);
      expect([refused?.body.error.code, refused?.headers.get("retry-after")]).toEqual([-31429, "1"]);
      const more = await Promise.all(Array.from({ length: 5 }, () => http.get("/tasks")));
      expect(more.map(({ body }) => body.error?.status)).toContain("RESOURCE_EXHAUSTED");
    } finally {
      await limited.server.close();
    }
  });
});
