import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BAD_TEXTS } from "../../support/bad-texts.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { describeGuard, expectFields, expectProblem, withoutRequest } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TOKENS = "/api/v1/agent_tokens";
const UNKNOWN_ID = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";
const NOW = new Date("2100-11-21T10:00:45.678Z");
const THIRTY_DAYS = 2_592_000;

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({}, NOW);
});

afterAll(() => world.server.close());

describeGuard({ path: TOKENS }, () => world);
describeGuard({ method: "POST", path: TOKENS }, () => world);
describeGuard({ method: "DELETE", path: `${TOKENS}/${UNKNOWN_ID}` }, () => world);

function as(bearer: string): TestClient {
  return createTestClient(world.server.url, bearer);
}

async function mint(by: TestClient, body: object = {}) {
  const answer = await by.post(TOKENS, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

function after(seconds: number): string {
  return new Date(NOW.getTime() + seconds * 1000).toISOString();
}

describe("POST /api/v1/agent_tokens", () => {
  it("mints a token with all scopes of its key for 30 days", async () => {
    const { status, headers, body } = await world.agent.post(TOKENS);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`${TOKENS}/${body.id}`);
    const { actor, scopes } = (await world.agent.get("/api/v1/whoami")).body;
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.stringMatching(/^agt_[0-9A-Za-z]{49}$/),
      access_token: body.token,
      token_type: "Bearer",
      expires_in: THIRTY_DAYS,
      expires_at: after(THIRTY_DAYS),
      agent_id: actor.id,
      scopes,
      scope: scopes.join(" "),
      name: null,
    });
    expect((await as(body.token).get("/api/v1/whoami")).body.scopes).toEqual(scopes);
  });

  it.each(["", "{}", '{"scopes":null,"name":null,"agent":null,"expires_in":null}'])(
    "uses the defaults for the body %j",
    async (body) => {
      for (const type of ["application/json", "text/plain", "Application/JSON; charset=utf-8"]) {
        if (body !== "" && type === "text/plain") continue;
        const answer = await world.agent.post(TOKENS, body, { "content-type": type });
        expect([answer.status, answer.body.expires_in]).toEqual([201, THIRTY_DAYS]);
      }
    },
  );

  it("mints a token with some of the scopes, sorted", async () => {
    const scopes = ["traces:write", "gateway:check", "agent_commands:read"];
    const made = await mint(world.agent, { scopes });
    expect(made.scopes).toEqual(["agent_commands:read", "gateway:check", "traces:write"]);
    expect(made.scope).toBe("agent_commands:read gateway:check traces:write");
    expect((await as(made.token).get("/api/v1/operator/agent_commands")).status).toBe(200);
    expectProblem(await as(made.token).get("/api/v1/tasks"), 403, "insufficient_scope");
  });

  it.each([
    ["an empty list", []],
    ["an unknown scope", ["tasks:fly"]],
    ["a repeated scope", ["tasks:read", "tasks:read"]],
    ["an empty scope", [""]],
    ["a wildcard", ["*"]],
    ["NUL", ["tasks:read\0"]],
    ["a property of every object", ["constructor"]],
    ["a scope the key doesn't have", ["tasks:read", "tasks:write"]],
  ])("rejects %s", async (_kind, scopes) => {
    const key = await world.agentWith("tasks:read");
    const refused = await key.post(TOKENS, { scopes });
    expectProblem(refused, 400, "invalid_scope");
    expect(refused.headers.get("www-authenticate")).toBeNull();
  });

  it.each([60, 61, 86_400, THIRTY_DAYS])("mints a token for %i seconds", async (seconds) => {
    const made = await mint(world.agent, { expires_in: seconds });
    expect([made.expires_in, made.expires_at]).toEqual([seconds, after(seconds)]);
  });

  it.each([59, 0, -1, THIRTY_DAYS + 1, 60.5, 1e300, "60", true, [60]])(
    "rejects to mint for %j seconds",
    async (seconds) => {
      expectFields(await world.agent.post(TOKENS, { expires_in: seconds }), "expires_in");
    },
  );

  it("never mints a token that expires after its key", async () => {
    const key = await world.agentWith("tasks:read");
    const { credential } = (await key.get("/api/v1/whoami")).body;
    const { database } = world.server;
    await database.query("UPDATE api_key SET expires_at = $2 WHERE id = $1", [credential.id, after(1000)]);
    expect(await mint(key)).toMatchObject({ expires_in: 1000, expires_at: after(1000) });
    expect(await mint(key, { expires_in: 600 })).toMatchObject({ expires_in: 600, expires_at: after(600) });
  });

  it.each(["r", "n".repeat(100), "é😀"])("accepts the name %s", async (name) => {
    expect((await mint(world.agent, { name })).name).toBe(name);
  });

  it.each([
    ["name", ""],
    ["name", "n".repeat(101)],
    ["name", 7],
    ["scopes", "tasks:read"],
    ["scopes.0", [1]],
    ["agent", "robot-7"],
    ["agent.handle", {}],
    ["agent.handle", { handle: "" }],
    ["agent.handle", { handle: "Robot 7" }],
    ["agent.handle", { handle: "h".repeat(65) }],
    ["agent.name", { handle: "robot-7", name: "" }],
    ["agent.name", { handle: "robot-7", name: "n".repeat(101) }],
    ["agent.kind", { handle: "robot-7", kind: "ROBOT" }],
  ])("rejects a wrong %s (case %#)", async (field, value) => {
    const [member = ""] = field.split(".");
    expectFields(await world.agent.post(TOKENS, { [member]: value }), field);
  });

  it.each(BAD_TEXTS)("rejects $kind in every text", async ({ bad }) => {
    expectFields(await world.agent.post(TOKENS, { name: bad }), "name");
    expectFields(await world.agent.post(TOKENS, { agent: { handle: bad } }), "agent.handle");
    expectFields(await world.agent.post(TOKENS, { agent: { handle: "fresh", name: bad } }), "agent.name");
    expectProblem(await world.agent.post(TOKENS, { scopes: [bad] }), 400, "invalid_scope");
  });

  it("ignores a workspace or user in the body", async () => {
    const { workspaceId } = await world.another();
    for (const said of [{ workspace_id: workspaceId }, { user_id: UNKNOWN_ID }, { agent_id: UNKNOWN_ID }]) {
      expectProblem(await world.agent.post("/api/v1/agent_tokens", said), 422, "unknown_field");
    }
  });
});

describe("GET /api/v1/agent_tokens", () => {
  it("lists the tokens of the key, newest first, without their secrets", async () => {
    const key = await world.agentWith("tasks:read");
    const first = await mint(key, { name: "first" });
    const second = await mint(key, { expires_in: 60 });
    const { status, text, body } = await key.get(TOKENS);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["agent_tokens", "count"]);
    expect(body.count).toBe(2);
    expect(body.agent_tokens[1]).toEqual({
      id: first.id,
      agent_id: first.agent_id,
      api_key_id: (await key.get("/api/v1/whoami")).body.credential.id,
      name: "first",
      scopes: ["tasks:read"],
      created_at: NOW.toISOString(),
      expires_at: after(THIRTY_DAYS),
      revoked_at: null,
      last_used_at: null,
    });
    expect(body.agent_tokens[0]).toMatchObject({ id: second.id, expires_at: after(60) });
    for (const { token } of [first, second]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(token.slice(4, 47));
      expect(text).not.toContain(createHash("sha256").update(token).digest("hex"));
    }
  });

  it("shows a token only itself, and a key only its own tokens", async () => {
    const [key, other] = [await world.agentWith("tasks:read"), await world.agentWith("tasks:read")];
    const own = await mint(key);
    await mint(key);
    await mint(other);
    expect((await key.get(TOKENS)).body.count).toBe(2);
    const seen = (await as(own.token).get(TOKENS)).body.agent_tokens;
    expect(seen.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  });

  it("returns the requested page", async () => {
    const key = await world.agentWith("tasks:read");
    const ids = [await mint(key), await mint(key), await mint(key)].map(({ id }) => id).toReversed();
    const idsAt = async (query: string) =>
      (await key.get(`${TOKENS}${query}`)).body.agent_tokens.map(({ id }: { id: string }) => id);
    expect(await idsAt("")).toEqual(ids);
    expect(await idsAt("?limit=2")).toEqual(ids.slice(0, 2));
    expect(await idsAt("?limit=1&offset=2")).toEqual(ids.slice(2));
    expect(await idsAt("?offset=100000")).toEqual([]);
    const { headers } = await key.get(`${TOKENS}?limit=1&offset=1`);
    const [first, prev, next] = [0, 0, 2].map((offset) => `<${TOKENS}?limit=1&offset=${offset}>`);
    expect(headers.get("link")).toBe(`${first}; rel="first", ${prev}; rel="prev", ${next}; rel="next"`);
    for (const query of ["limit=0", "limit=101", "offset=-1", "offset=100001", "limit=ten"]) {
      expectFields(await key.get(`${TOKENS}?${query}`), query.split("=")[0] ?? "");
    }
  });
});

describe("DELETE /api/v1/agent_tokens/{id}", () => {
  it("revokes a token at once, and repeating it changes nothing", async () => {
    const { id, token } = await mint(world.agent);
    expect((await as(token).get("/api/v1/whoami")).status).toBe(200);
    for (const path of [id, id.toUpperCase()]) {
      const { status, text } = await world.agent.delete(`${TOKENS}/${path}`);
      expect([status, text]).toEqual([204, ""]);
    }
    expectProblem(await as(token).get("/api/v1/whoami"), 401, "invalid_token");
    const [listed] = (await world.agent.get(`${TOKENS}?limit=1`)).body.agent_tokens;
    expect(listed).toMatchObject({ id, revoked_at: NOW.toISOString() });
  });

  it("revokes the caller's own token, by id or as `current`", async () => {
    const { id, token } = await mint(world.agent);
    expect((await as(token).delete(`${TOKENS}/${id}`)).status).toBe(204);
    expectProblem(await as(token).delete(`${TOKENS}/${id}`), 401, "invalid_token");
    const other = await mint(world.agent);
    expect((await as(other.token).delete(`${TOKENS}/current`)).status).toBe(204);
    expectProblem(await as(other.token).get("/api/v1/whoami"), 401, "invalid_token");
  });

  it("finds no `current` token for an API key", async () => {
    expectProblem(await world.agent.delete(`${TOKENS}/current`), 404, "not_found");
  });

  it("revokes tokens minted by a key of the same lineage", async () => {
    const [old, rotated] = [await world.agentWith("tasks:read"), await world.agentWith("tasks:read")];
    const [before, now] = [await old.get("/api/v1/whoami"), await rotated.get("/api/v1/whoami")];
    const { id, token } = await mint(old);
    expectProblem(await rotated.delete(`${TOKENS}/${id}`), 404, "not_found");
    await world.server.database.query("UPDATE api_key SET lineage_id = $1 WHERE id = $2", [
      before.body.credential.id,
      now.body.credential.id,
    ]);
    expect((await rotated.get(TOKENS)).body.agent_tokens).toMatchObject([{ id }]);
    expect((await rotated.delete(`${TOKENS}/${id}`)).status).toBe(204);
    expectProblem(await as(token).get("/api/v1/whoami"), 401, "invalid_token");
  });

  it("finds only the caller's own tokens", async () => {
    const other = await world.another();
    const [own, sibling, foreign] = [
      await mint(world.agent),
      await mint(world.agent),
      await mint(other.agent),
    ];
    const otherKey = await world.agentWith("agents:write", "tokens:introspect");
    const unknown = await world.agent.delete(`${TOKENS}/${UNKNOWN_ID}`);
    expectProblem(unknown, 404, "not_found");
    const attempts = [
      await world.agent.delete(`${TOKENS}/${foreign.id}`),
      await as(own.token).delete(`${TOKENS}/${sibling.id}`),
      await otherKey.delete(`${TOKENS}/${sibling.id}`),
    ];
    for (const attempt of attempts) expect(withoutRequest(attempt)).toEqual(withoutRequest(unknown));
    for (const { token } of [own, sibling, foreign])
      expect((await as(token).get("/api/v1/whoami")).status).toBe(200);
  });

  it.each(["x", "CURRENT", "%00", "1"])("finds nothing under the malformed id %s", async (id) => {
    expectProblem(await world.agent.delete(`${TOKENS}/${id}`), 404, "not_found");
  });
});
