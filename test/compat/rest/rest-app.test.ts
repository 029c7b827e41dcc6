import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFields, expectProblem } from "../../support/problem.ts";
import { sendRaw } from "../../support/raw-request.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const MIB = 1_048_576;
const WRITES = [
  "/api/v1/tasks",
  "/api/v1/messages",
  "/api/v1/agent_tokens",
  "/api/v1/socket_tokens",
  "/api/v1/tokens/introspect",
  "/api/v1/tokens/revoke",
];

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe.each(WRITES)("the body of POST %s", (path) => {
  it.each([
    "{",
    "nonsense",
    "[]",
    '[{"title":"x"}]',
    '"text"',
    "1",
    "null",
    "true",
    "{} {}",
    "{'a':1}",
    "\u0000",
  ])("can't be %j", async (body) => {
    expectProblem(await world.agent.post(path, body), 400, "invalid_body");
  });

  it.each([
    "text/plain",
    "application/xml",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "json",
    "text/json",
  ])("can't be %s", async (type) => {
    expectProblem(
      await world.agent.post(path, "{}", { "content-type": type }),
      415,
      "unsupported_media_type",
    );
  });

  it.each(["gzip", "br", "nonsense"])("can't be compressed with %s", async (coding) => {
    const refused = await world.agent.post(path, "{}", { "content-encoding": coding });
    expectProblem(refused, 415, "unsupported_media_type");
  });

  it.each(["application/json", "application/json; charset=iso-8859-1"])(
    "is UTF-8, whatever its Content-Type says: %s",
    async (type) => {
      const headers = { authorization: `Bearer ${world.apiKey}`, "content-type": type };
      const body = Buffer.from('{"title":"Zürich","token":"é"}', "latin1");
      const refused = await sendRaw(world.server.url, { method: "POST", path, headers, body });
      expectProblem(refused, 400, "invalid_body");
      expect(refused.body.detail).toContain("UTF-8");
    },
  );

  it("requires a Content-Type", async () => {
    const headers = { authorization: `Bearer ${world.apiKey}` };
    const untyped = { method: "POST", path, headers, body: "{}" };
    expectProblem(await sendRaw(world.server.url, untyped), 415, "unsupported_media_type");
  });

  it("has at most 1 MiB, with or without a Content-Length", async () => {
    const exact = `{"pad":"${"x".repeat(MIB - 10)}"}`;
    expect(Buffer.byteLength(exact)).toBe(MIB);
    expect((await world.agent.post(path, exact)).status).not.toBe(413);
    const refused = await world.agent.post(path, `${exact} `);
    expectProblem(refused, 413, "payload_too_large");
    // Otherwise the unread part would be taken for the next request.
    expect(refused.headers.get("connection")).toBe("close");
    const headers = {
      authorization: `Bearer ${world.apiKey}`,
      "content-type": "application/json",
      "transfer-encoding": "chunked",
    };
    const chunked = await sendRaw(world.server.url, { method: "POST", path, headers, body: `${exact} ` });
    expectProblem(chunked, 413, "payload_too_large");
  });
});

describe("a Content-Type", () => {
  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=utf-8",
    "application/json ; charset=utf-8",
    'application/json; charset="utf-8"; x=y',
    "application/json;",
  ])("can be spelled %s", async (type) => {
    const { status, body } = await world.agent.post(
      "/api/v1/tasks",
      { title: type },
      { "content-type": type },
    );
    expect([status, body.task?.title]).toEqual([201, type]);
    // If the body were ignored, the token would have every scope.
    const minted = await world.agent.post(
      "/api/v1/agent_tokens",
      { scopes: ["tasks:read"] },
      { "content-type": type },
    );
    expect(minted.body.scopes).toEqual(["tasks:read"]);
  });

  it.each(["application/json", "text/plain", "application/x-www-form-urlencoded"])(
    "is ignored for an empty body: %s",
    async (type) => {
      expectFields(await world.agent.post("/api/v1/tasks", "", { "content-type": type }), "title");
      expect((await world.agent.post("/api/v1/socket_tokens", "", { "content-type": type })).status).toBe(
        201,
      );
    },
  );
});

describe("a path of /api/v1", () => {
  it.each([
    ["/api/v1/tasks", "GET, HEAD, POST"],
    ["/api/v1/messages", "GET, HEAD, POST"],
    ["/api/v1/agent_tokens", "GET, HEAD, POST"],
    ["/api/v1/agent_tokens/current", "DELETE"],
    ["/api/v1/tokens/introspect", "POST"],
    ["/api/v1/operator/robots", "GET, HEAD"],
    ["/api/v1/operator/missions", "GET, HEAD, POST"],
  ])("%s allows %s and rejects every other method", async (path, allow) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (allow.includes(method)) continue;
      const refused = await world.agent.send(path, { method });
      expectProblem(refused, 405, "method_not_allowed");
      expect(refused.headers.get("allow")).toBe(allow);
    }
  });

  it.each([
    "/api/v1",
    "/api/v1/",
    "/api/v1/tasks/",
    "/api/v1/Tasks",
    "/api/v1/robots",
    "/api/v1/operator/tasks",
    "/api/v1//tasks",
  ])("can't be %s", async (path) => {
    expectProblem(await world.agent.get(path), 404, "not_found");
  });

  it("responds to HEAD like GET without a body", async () => {
    const [get, head] = [
      await world.agent.get("/api/v1/tasks"),
      await world.agent.send("/api/v1/tasks", { method: "HEAD" }),
    ];
    expect([head.status, head.text]).toEqual([get.status, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  });
});

describe("a response", () => {
  it("has the request's id, the caller's own if well-formed", async () => {
    const asked = { "x-request-id": "robot-7.42" };
    expect((await world.agent.get("/api/v1/tasks", asked)).headers.get("x-request-id")).toBe("robot-7.42");
    const refused = await world.agent.get("/api/v1/tasks?limit=x", asked);
    expect(refused.body.request_id).toBe("robot-7.42");
    for (const malformed of ["a b", "x".repeat(65), "<script>", ""]) {
      const { headers } = await world.agent.get("/api/v1/tasks", { "x-request-id": malformed });
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it("has a URL that explains the problem", async () => {
    const { type, title } = (await world.agent.get("/api/v1/tasks?limit=x")).body;
    const page = await fetch(type);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(title);
  });
});
