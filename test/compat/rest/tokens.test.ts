import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeApiKey } from "../../../src/auth/api-keys/revoke-api-key.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const INTROSPECT = "/api/v1/tokens/introspect";
const REVOKE = "/api/v1/tokens/revoke";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const NOW = new Date("2100-11-21T10:00:45.678Z");
const IAT = Math.floor(NOW.getTime() / 1000);

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({}, NOW);
});

afterAll(() => world.server.close());

describeGuard({ method: "POST", path: INTROSPECT }, () => world);
describeGuard({ method: "POST", path: REVOKE }, () => world);

function as(bearer: string): TestClient {
  return createTestClient(world.server.url, bearer);
}

async function mint(by: TestClient, body: object = {}) {
  return (await by.post("/api/v1/agent_tokens", body)).body;
}

async function expectInactive(token: string, by = world.agent): Promise<void> {
  const { status, text } = await by.post(INTROSPECT, { token });
  expect([status, text]).toEqual([200, '{"active":false}']);
}

async function expectActive(token: string, by = world.agent): Promise<void> {
  expect((await by.post(INTROSPECT, { token })).body).toMatchObject({ active: true });
}

describe("POST /api/v1/tokens/introspect", () => {
  it("describes an access token", async () => {
    const made = await mint(world.agent, { scopes: ["tasks:read", "messages:read"], expires_in: 3600 });
    const { status, headers, body } = await world.agent.post(INTROSPECT, { token: made.token });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      active: true,
      scope: "messages:read tasks:read",
      token_type: "agent_token",
      exp: IAT + 3600,
      iat: IAT,
      sub: made.agent_id,
      jti: made.id,
      workspace_id: world.workspaceId,
    });
  });

  it("describes a socket token", async () => {
    const made = (await world.agent.post("/api/v1/socket_tokens", { scopes: ["tasks:read"] })).body;
    const { body } = await world.agent.post(INTROSPECT, { token: made.token });
    expect(body).toMatchObject({
      active: true,
      token_type: "socket_token",
      exp: IAT + 600,
      iat: IAT,
      jti: made.id,
    });
  });

  it("describes an API key, without expiry if it never expires", async () => {
    const { body } = await world.agent.post(INTROSPECT, { token: world.apiKey });
    expect(body).toMatchObject({ active: true, token_type: "api_key", workspace_id: world.workspaceId });
    expect(body).not.toHaveProperty("exp");
  });

  it("accepts a form like JSON", async () => {
    const { token } = await mint(world.agent);
    const form = new URLSearchParams({ token, token_type_hint: "access_token" }).toString();
    const byForm = await world.agent.post(INTROSPECT, form, FORM);
    expect(byForm.status).toBe(200);
    expect(byForm.body).toEqual((await world.agent.post(INTROSPECT, { token })).body);
    const spelled = { "content-type": "Application/X-WWW-Form-URLencoded ; charset=UTF-8" };
    expect((await world.agent.post(INTROSPECT, form, spelled)).body).toEqual(byForm.body);
  });

  it("returns only inactive for anything but a valid token of the workspace", async () => {
    const other = await world.another();
    const foreign = await mint(other.agent);
    const revoked = await mint(world.agent);
    await world.agent.delete(`/api/v1/agent_tokens/${revoked.id}`);
    const { token } = await mint(world.agent);
    const nobodys = [
      "x",
      "agt_",
      `${token}x`,
      token.toUpperCase(),
      ` ${token}`,
      "a\0b",
      "\ud800",
      "é".repeat(512),
    ];
    for (const text of [...nobodys, foreign.token, other.apiKey, world.scimToken, revoked.token]) {
      await expectInactive(text);
    }
  });

  it("returns inactive for an expired token", async () => {
    const { token } = await mint(world.agent, { expires_in: 60 });
    const later = await startOn(world.server.database, {}, new Date(NOW.getTime() + 60_000));
    await expectActive(token);
    await expectInactive(token, createTestClient(later.url, world.apiKey));
    await later.stop();
  });

  it("returns inactive for tokens revoked with their parent", async () => {
    const key = await world.agentWith("tasks:read");
    const { credential } = (await key.get("/api/v1/whoami")).body;
    const [first, second] = [await mint(key), await mint(key)];
    const sockets = [
      await as(first.token).post("/api/v1/socket_tokens"),
      await as(second.token).post("/api/v1/socket_tokens"),
    ];
    const [ofFirst, ofSecond] = sockets.map(({ body }) => body.token);
    await key.delete(`/api/v1/agent_tokens/${first.id}`);
    await expectInactive(ofFirst);
    await expectActive(ofSecond);
    await revokeApiKey(world.ctx, credential.id);
    for (const token of [second.token, ofSecond]) await expectInactive(token);
  });

  it("returns inactive for a used single-use socket token", async () => {
    const { id, token } = (await world.agent.post("/api/v1/socket_tokens", { single_use: true })).body;
    await expectActive(token);
    await world.server.database.query("UPDATE socket_token SET used_at = $2 WHERE id = $1", [id, NOW]);
    await expectInactive(token);
  });

  it("returns only scopes that the key still has", async () => {
    const key = await world.agentWith("tasks:read", "tasks:write");
    const { token } = await mint(key);
    const { credential } = (await key.get("/api/v1/whoami")).body;
    await world.server.database.query("UPDATE api_key SET scopes = '{tasks:read}' WHERE id = $1", [
      credential.id,
    ]);
    expect((await world.agent.post(INTROSPECT, { token })).body.scope).toBe("tasks:read");
  });

  it("requires tokens:introspect, except for the caller's own credential", async () => {
    const key = await world.agentWith("tasks:read");
    const [own, sibling] = [await mint(key), await mint(key)];
    await expectActive(own.token, as(own.token));
    const other = await world.another();
    for (const token of [sibling.token, world.apiKey, other.apiKey, "unknown"]) {
      const refused = await as(own.token).post(INTROSPECT, { token });
      expectProblem(refused, 403, "insufficient_scope");
      expect(refused.headers.get("www-authenticate")).toContain('scope="tokens:introspect"');
    }
  });

  it.each([{}, { token: "" }, { token: null }, { token: 5 }, { token: "x".repeat(513) }, { token: ["x"] }])(
    "rejects the body %j",
    async (body) => {
      expectFields(await world.agent.post(INTROSPECT, body), "token");
    },
  );

  it.each(["", "token=", "other=1", "token=a&token=b", "token[]=a"])("rejects the form %j", async (form) => {
    expectFields(await world.agent.post(INTROSPECT, form, FORM), "token");
  });

  it("accepts no other kind of body", async () => {
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/jwt"]) {
      const refused = await world.agent.post(INTROSPECT, "token=x", { "content-type": type });
      expectProblem(refused, 415, "unsupported_media_type");
    }
  });
});

describe("POST /api/v1/tokens/revoke", () => {
  async function expectDone(by: TestClient, token: string): Promise<void> {
    const { status, text } = await by.post(REVOKE, { token });
    expect([status, text]).toEqual([200, "{}"]);
  }

  it("revokes an access token of the key, and all tokens it minted", async () => {
    const { token } = await mint(world.agent);
    const socket = (await as(token).post("/api/v1/socket_tokens")).body.token;
    await expectDone(world.agent, token);
    expectProblem(await as(token).get("/api/v1/whoami"), 401, "invalid_token");
    await expectInactive(socket);
    await expectDone(world.agent, token);
  });

  it("revokes the caller's own token, sent as a form", async () => {
    const { token } = await mint(world.agent);
    const answer = await as(token).post(REVOKE, new URLSearchParams({ token }).toString(), FORM);
    expect([answer.status, answer.text]).toEqual([200, "{}"]);
    expectProblem(await as(token).get("/api/v1/whoami"), 401, "invalid_token");
  });

  it("revokes its own socket token", async () => {
    const { token } = await mint(world.agent);
    const ofToken = (await as(token).post("/api/v1/socket_tokens")).body.token;
    const ofKey = (await world.agent.post("/api/v1/socket_tokens")).body.token;
    await expectDone(as(token), ofKey);
    await expectActive(ofKey);
    await expectDone(as(token), ofToken);
    await expectInactive(ofToken);
    await expectDone(world.agent, ofKey);
    await expectInactive(ofKey);
  });

  it("revokes tokens minted by a key of the same lineage", async () => {
    const [old, rotated] = [await world.agentWith("tasks:read"), await world.agentWith("tasks:read")];
    const [before, now] = [await old.get("/api/v1/whoami"), await rotated.get("/api/v1/whoami")];
    const { token } = await mint(old);
    const socket = (await old.post("/api/v1/socket_tokens")).body.token;
    await world.server.database.query("UPDATE api_key SET lineage_id = $1 WHERE id = $2", [
      before.body.credential.id,
      now.body.credential.id,
    ]);
    for (const ended of [token, socket]) {
      await expectDone(rotated, ended);
      await expectInactive(ended);
    }
  });

  it("responds alike to another caller's token and doesn't revoke it", async () => {
    const other = await world.another();
    const [own, sibling] = [await mint(world.agent), await mint(world.agent)];
    const foreign = await mint(other.agent);
    for (const text of ["unknown", "a\0b", foreign.token, other.apiKey, world.apiKey, world.scimToken]) {
      await expectDone(world.agent, text);
    }
    await expectDone(as(own.token), sibling.token);
    await expectDone(await world.agentWith("tasks:read"), sibling.token);
    for (const bearer of [own.token, sibling.token, foreign.token, other.apiKey, world.apiKey]) {
      expect((await as(bearer).get("/api/v1/whoami")).status).toBe(200);
    }
  });

  it.each([{}, { token: "" }, { token: 5 }, { token: "x".repeat(513) }])(
    "rejects the body %j",
    async (body) => {
      expectFields(await world.agent.post(REVOKE, body), "token");
    },
  );
});
