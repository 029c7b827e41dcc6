import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertTestAgent } from "../../support/factories.ts";
import { type AuthzenScene, CERTIFICATION, createAuthzenScene } from "../../support/authzen-scene.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let scene: AuthzenScene;

beforeAll(async () => {
  world = await createWorld();
  scene = await createAuthzenScene(world, CERTIFICATION);
});

afterAll(() => world.server.close());

const ALICE = { type: "user", id: "alice" };
const RECORD = { type: "record", id: "record-1" };
const READ = { subject: ALICE, action: { name: "read" }, resource: RECORD };

describe("an answer", () => {
  it("echoes the request's id, may not be stored and says why", async () => {
    const id = "a request/of:mine".replaceAll(" ", "+");
    const { headers, body } = await scene.post("evaluation", READ, { "x-request-id": id });
    expect(headers.get("x-request-id")).toBe(id);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.context).toMatchObject({ reason: "policy_allow", policy: { name: "alice" } });
    const less = await scene.agentWith("gateway:check", "gateway:delegate");
    expect((await less.post("/access/v1/evaluation", READ)).body.context).not.toHaveProperty("policy");
  });

  it("to the same batch has the same bytes each time", async () => {
    const batch = {
      ...{ subject: ALICE, resource: RECORD },
      evaluations: [{ action: { name: "read" } }, { action: { name: "fly" } }, { action: { name: "write" } }],
    };
    const texts: string[] = [];
    for (const semantic of ["execute_all", "deny_on_first_deny", "execute_all", "deny_on_first_deny"]) {
      const sent = { ...batch, options: { evaluations_semantic: semantic } };
      texts.push((await scene.post("evaluations", sent, { "x-request-id": crypto.randomUUID() })).text);
    }
    expect(texts[0]).toBe('{"evaluations":[{"decision":true},{"decision":false},{"decision":true}]}');
    expect(texts).toEqual([texts[0], texts[1], texts[0], texts[1]]);
  });

  it("to nobody is 401 with a challenge, without a scope 403, by GET 405: each a message", async () => {
    const nobody = createTestClient(world.server.url);
    const without = await nobody.post("/access/v1/evaluation", READ, { "x-request-id": "7" });
    expect(without).toMatchObject({ status: 401, body: expect.any(String) });
    expect(without.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(without.headers.get("x-request-id")).toBe("7");
    const self = await scene.agentWith("gateway:check");
    for (const [path, body] of [
      ["evaluation", READ],
      ["search/subject", READ],
      ["search/resource", READ],
      ["search/action", READ],
    ] as const) {
      expect(await self.post(`/access/v1/${path}`, body)).toMatchObject({
        ...{ status: 403, body: expect.stringContaining("gateway:delegate") },
      });
    }
    const own = await self.post("/access/v1/evaluation", {
      ...READ,
      subject: { type: "identity", id: scene.agentId },
    });
    expect(own).toMatchObject({ status: 200, body: { decision: false } });
    const got = await scene.agent.get("/access/v1/evaluation");
    expect(got).toMatchObject({ status: 405, body: expect.any(String) });
    expect(got.headers.get("allow")).toBe("POST");
  });

  it.each(["text/plain", "application/x-www-form-urlencoded"])("to a body of %s is 400", async (type) => {
    expect((await scene.post("evaluation", READ, { "content-type": type })).status).toBe(400);
    const charset = { "content-type": "application/json; charset=UTF-8" };
    expect((await scene.post("evaluation", READ, charset)).status).toBe(200);
  });

  it.each([
    [
      '{"subject":{"type":"user","id":"a","id":"b"},"action":{"name":"read"},"resource":{"type":"a","id":"b"}}',
      400,
    ],
    [`{"context":${"[".repeat(5000)}${"]".repeat(5000)}}`, 400],
    [JSON.stringify({ ...READ, context: { n: 1 } }).replace(":1}", ":9007199254740993}"), 400],
    [JSON.stringify({ ...READ, context: { list: Array.from({ length: 10_001 }, () => 0) } }), 400],
    [JSON.stringify({ ...READ, context: { text: "x".repeat(262_144) } }), 413],
  ])("to a hostile body is a message (%#)", async (body, status) => {
    const answer = await scene.post("evaluation", body);
    expect(answer).toMatchObject({ status, body: expect.any(String) });
  });
});

const [YES, NO] = [READ, { ...READ, action: { name: "burn" } }];

describe("a batch", () => {
  it.each([
    ["execute_all", [YES, NO, YES], [true, false, true]],
    ["deny_on_first_deny", [YES, NO, YES], [true, false]],
    ["permit_on_first_permit", [NO, YES, NO], [false, true]],
  ])("with %s ends after the item that decided", async (semantic, evaluations, decisions) => {
    const asked = { evaluations, options: { evaluations_semantic: semantic } };
    const { body } = await scene.post("evaluations", asked);
    expect(body).toEqual({ evaluations: decisions.map((decision) => ({ decision })) });
    const again = await scene.post("evaluations", asked);
    expect(again.text).toBe(JSON.stringify(body));
  });

  it.each([
    [{ evaluations: Array.from({ length: 51 }, () => READ) }],
    [{ evaluations: [READ], options: { evaluations_semantic: "first" } }],
    [{ evaluations: {} }],
  ])("that is malformed as a whole is 400 (%#)", async (body) => {
    expect(await scene.post("evaluations", body)).toMatchObject({ status: 400, body: expect.any(String) });
  });

  it("refuses single items that are no requests or for others, and explains if asked", async () => {
    const self = await scene.agentWith("gateway:check");
    const { body } = await self.post("/access/v1/evaluations", { evaluations: [READ, 7] });
    expect(body.evaluations).toMatchObject([
      { decision: false, context: { error: { status: 403 } } },
      { decision: false, context: { error: { status: 400 } } },
    ]);
    const explained = await scene.post("evaluations", { evaluations: [YES, NO], options: { explain: true } });
    expect(explained.body.evaluations).toMatchObject([
      { decision: true, context: { reason: "policy_allow" } },
      { decision: false, context: { reason: "default_deny" } },
    ]);
  });

  it("logs each of its decisions", async () => {
    const count = "SELECT count(*)::int AS n FROM decision WHERE workspace_id = $1 AND action = 'count me'";
    const asked = { ...READ, action: { name: "count me" } };
    await scene.post("evaluations", { evaluations: [asked, asked, asked] });
    expect(await world.server.database.query(count, [scene.ctx.workspaceId])).toEqual([{ n: 3 }]);
  });
});

describe("a search", () => {
  it("of agents needs agents:read, and finds those that are not archived", async () => {
    const other = await insertTestAgent(scene.ctx, "robot");
    const dock = { subject: ALICE, action: { name: "robot.dock" }, resource: { type: "robot" } };
    const less = await scene.agentWith("gateway:check", "gateway:delegate");
    expect((await less.post("/access/v1/search/resource", dock)).status).toBe(403);
    expect((await scene.post("search/resource", dock)).body.results).toHaveLength(1);
    await world.server.database.query("UPDATE agent SET archived_at = now() WHERE id = $1", [other]);
    expect((await scene.post("search/resource", dock)).body.results).toEqual([]);
  });

  it("goes on only with the same request", async () => {
    const asked = { subject: { type: "user" }, action: { name: "read" }, resource: RECORD };
    const { body } = await scene.post("search/subject", { ...asked, page: { limit: 1 } });
    const page = { token: body.page.next_token };
    const changed = { ...asked, action: { name: "write" }, page };
    expect((await scene.post("search/subject", changed)).status).toBe(400);
    expect((await scene.post("search/subject", { ...asked, page: { token: "x" } })).status).toBe(400);
    expect((await scene.post("search/subject", { ...asked, page: { limit: 0 } })).status).toBe(400);
    expect((await scene.post("search/subject", { ...asked, page })).status).toBe(200);
  });
});
