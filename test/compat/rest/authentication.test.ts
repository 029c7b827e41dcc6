import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resumeWorkspace, suspendWorkspace } from "../../../src/domain/workspaces/suspend-workspace.ts";
import { createKeyWith } from "../../support/callers.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../../support/test-client.ts";
import { expectProblem } from "../../support/problem.ts";
import { sendRaw } from "../../support/raw-request.ts";
import { startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const WHOAMI = "/api/v1/whoami";
const UNKNOWN_ID = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";
const REALM = 'Bearer realm="agent-ops"';

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

function as(bearer: string): TestClient {
  return createTestClient(world.server.url, bearer);
}

/** Requests whoami with these header lines. */
function whoami(headers: Record<string, string | string[]>, path = WHOAMI): Promise<TestAnswer> {
  return sendRaw(world.server.url, { path, headers });
}

function expectRefused(answer: TestAnswer, [status, code, challenge]: [number, string, string | null]): void {
  expectProblem(answer, status, code);
  expect(answer.headers.get("www-authenticate")).toBe(challenge);
}

const INVALID_REQUEST: [number, string, string] = [
  400,
  "invalid_request",
  `${REALM}, error="invalid_request"`,
];
const INVALID_TOKEN: [number, string, string] = [401, "invalid_token", `${REALM}, error="invalid_token"`];
const UNAUTHENTICATED: [number, string, string] = [401, "unauthenticated", REALM];

describe("a bearer", () => {
  it("can have its scheme in any case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect((await whoami({ authorization: `${scheme} ${world.apiKey}` })).status).toBe(200);
    }
  });

  it("is required, with the scheme Bearer", async () => {
    const headers = [{}, { authorization: "" }, { authorization: `Basic ${btoa(world.apiKey)}` }];
    for (const sent of [
      ...headers,
      { authorization: world.apiKey },
      { authorization: `Bearer\t${world.apiKey}` },
    ]) {
      expectRefused(await whoami(sent), UNAUTHENTICATED);
    }
  });

  it("is not read from cookies or other headers", async () => {
    for (const cookie of [
      `_agent_ops_key=${world.apiKey}`,
      "_agent_ops_key=x; _agent_ops_web_user_remember_me=x",
    ]) {
      expectRefused(await whoami({ cookie }), UNAUTHENTICATED);
    }
    expectRefused(
      await whoami({ "x-api-key": world.apiKey, "proxy-authorization": `Bearer ${world.apiKey}` }),
      UNAUTHENTICATED,
    );
  });

  it("must be in a single header", async () => {
    const bearer = `Bearer ${world.apiKey}`;
    expectRefused(await whoami({ authorization: [bearer, bearer] }), INVALID_REQUEST);
    expectRefused(await whoami({ authorization: `${bearer}, ${bearer}` }), INVALID_REQUEST);
  });

  it("must be one word of at most 512 characters", async () => {
    const malformed = [
      "Bearer",
      "Bearer ",
      `Bearer  ${world.apiKey}`,
      `Bearer ${world.apiKey} x`,
      `Bearer ${"x".repeat(513)}`,
    ];
    for (const authorization of malformed) expectRefused(await whoami({ authorization }), INVALID_REQUEST);
    expectRefused(await whoami({ authorization: `Bearer ${"x".repeat(512)}` }), INVALID_TOKEN);
  });

  it("is rejected in the URL", async () => {
    const path = `${WHOAMI}?access_token=${world.apiKey}`;
    expectRefused(await whoami({}, path), INVALID_REQUEST);
    expectRefused(await whoami({ authorization: `Bearer ${world.apiKey}` }, path), INVALID_REQUEST);
  });

  it("is rejected in the body", async () => {
    const json = { title: "x", access_token: world.apiKey };
    expectRefused(await world.agent.post("/api/v1/tasks", json), INVALID_REQUEST);
    const form = new URLSearchParams({ token: "x", access_token: world.apiKey }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    expectRefused(await world.agent.post("/api/v1/tokens/revoke", form, type), INVALID_REQUEST);
    expectRefused(await createTestClient(world.server.url).post("/api/v1/tasks", json), UNAUTHENTICATED);
  });

  it("is rejected if malformed, unknown or of another kind", async () => {
    const socketToken = (await world.agent.post("/api/v1/socket_tokens")).body.token;
    const [publicId = "", secret = ""] = world.apiKey.split(".");
    const other = (await world.another()).apiKey;
    const wrong = [
      "x",
      "agk_",
      `${world.apiKey}x`,
      world.apiKey.slice(0, -1),
      `${world.apiKey.slice(0, -1)}${world.apiKey.endsWith("0") ? "1" : "0"}`,
      `${publicId}.${other.split(".")[1]}`,
      `${other.split(".")[0]}.${secret}`,
      world.apiKey.toLowerCase(),
      socketToken,
      world.scimToken,
      "é".repeat(20),
    ];
    for (const bearer of wrong) {
      expectRefused(
        await whoami({ authorization: `Bearer ${Buffer.from(bearer).toString("latin1")}` }),
        INVALID_TOKEN,
      );
    }
  });

  it("is rejected with a reason if expired", async () => {
    const { token } = (await world.agent.post("/api/v1/agent_tokens", { expires_in: 60 })).body;
    const later = await startOn(world.server.database, {}, new Date(Date.now() + 61_000));
    const expired = `${REALM}, error="invalid_token", error_description="The access token expired"`;
    expectRefused(await createTestClient(later.url, token).get(WHOAMI), [401, "invalid_token", expired]);
    await later.stop();
  });
});

describe("an authentication error", () => {
  it("says that an API key is required", async () => {
    const { token } = (await world.agent.post("/api/v1/agent_tokens")).body;
    const challenge = `${REALM}, error="insufficient_scope"`;
    expectRefused(await as(token).post("/api/v1/agent_tokens"), [403, "api_key_required", challenge]);
  });

  it("names the missing scope", async () => {
    const challenge = `${REALM}, error="insufficient_scope", scope="tasks:read"`;
    const agent = await world.agentWith("tasks:write");
    expectRefused(await agent.get("/api/v1/tasks"), [403, "insufficient_scope", challenge]);
  });

  it("applies to every credential of a suspended workspace until it is resumed", async () => {
    const { agent, ctx } = await world.another();
    const token = (await agent.post("/api/v1/agent_tokens")).body.token;
    await suspendWorkspace(ctx);
    for (const credential of [agent, as(token)]) {
      expectRefused(await credential.get(WHOAMI), [403, "workspace_suspended", null]);
    }
    expect((await world.agent.get(WHOAMI)).status).toBe(200);
    await resumeWorkspace(ctx);
    // The error is cached on this node as long as a credential: at most 5 seconds.
    await expect.poll(async () => (await as(token).get(WHOAMI)).status).toBe(200);
  });

  it("says when to retry after too many requests", async () => {
    const slow = await startOn(world.server.database, { RATE_LIMIT: "2" });
    const agent = createTestClient(slow.url, world.apiKey);
    const answers = await Promise.all(Array.from({ length: 5 }, () => agent.get(WHOAMI)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    for (const answer of refused) {
      expectRefused(answer, [429, "rate_limited", null]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
    await slow.stop();
  });
});

describe("a key's IP allowlist", () => {
  async function keyFrom(...addresses: string[]): Promise<string> {
    const key = await createKeyWith(world.server, world.workspaceId, ["tasks:read"]);
    await world.server.database.query(
      "UPDATE api_key SET ip_allowlist = $1 WHERE last4 = $2 AND public_id = $3",
      [addresses, key.slice(-4), key.slice(4, 20)],
    );
    return key;
  }

  it.each([
    [["127.0.0.1"]],
    [["127.0.0.0/8"]],
    [["10.0.0.0/8", "::1", "127.0.0.1/32"]],
    [["0.0.0.0/0"]],
    [[]],
  ])("allows %j", async (addresses) => {
    const key = await keyFrom(...addresses);
    expect((await as(key).get(WHOAMI)).status).toBe(200);
    const { token } = (await as(key).post("/api/v1/agent_tokens")).body;
    expect((await as(token).get(WHOAMI)).status).toBe(200);
  });

  it.each([
    [["10.0.0.0/8"]],
    [["127.0.0.2", "::1"]],
    [["fd00::/8"]],
    [["::/0"]],
    [["nonsense", "127.0.0.1/99"]],
  ])("rejects %j, whatever its headers claim", async (addresses) => {
    const key = await keyFrom(...addresses);
    const claims = {
      "x-forwarded-for": "10.0.0.1, ::1",
      forwarded: "for=10.0.0.1",
      "x-real-ip": "127.0.0.2",
    };
    expectRefused(await as(key).get(WHOAMI, claims), [403, "ip_not_allowed", null]);
  });

  it("applies to the key's tokens", async () => {
    const key = await keyFrom();
    const { token } = (await as(key).post("/api/v1/agent_tokens")).body;
    await world.server.database.query(
      "UPDATE api_key SET ip_allowlist = '{10.0.0.0/8}' WHERE public_id = $1",
      [key.slice(4, 20)],
    );
    expectRefused(await as(token).get(WHOAMI), [403, "ip_not_allowed", null]);
  });
});

describe("the order of checks", () => {
  const bad = {
    method: "POST",
    body: "{",
    headers: { "content-type": "text/plain", "idempotency-key": " " },
  };

  it("starts with authentication", async () => {
    const anonymous = createTestClient(world.server.url);
    expectProblem(await anonymous.send("/api/v1/tasks", bad), 401, "unauthenticated");
    expectProblem(await anonymous.get("/api/v1/tasks?limit=x"), 401, "unauthenticated");
    expectProblem(await anonymous.get(`/api/v1/tasks/${UNKNOWN_ID}`), 401, "unauthenticated");
    expectProblem(await anonymous.delete("/api/v1/agent_tokens/x"), 401, "unauthenticated");
  });

  it("continues with the workspace and the scope", async () => {
    const { workspaceId, ctx } = await world.another();
    const narrow = as(await createKeyWith(world.server, workspaceId, ["traces:write"]));
    expectProblem(await narrow.send("/api/v1/tasks", bad), 403, "insufficient_scope");
    await suspendWorkspace(ctx);
    expectProblem(await narrow.send("/api/v1/tasks", bad), 403, "workspace_suspended");
  });

  it("checks the scope before the input and existence", async () => {
    const narrow = await world.agentWith("traces:write");
    expectProblem(await narrow.get("/api/v1/tasks?limit=x"), 403, "insufficient_scope");
    expectProblem(await narrow.get("/api/v1/tasks/x"), 403, "insufficient_scope");
    expectProblem(await narrow.post("/api/v1/messages", { parts: 1 }), 403, "insufficient_scope");
    const { token } = (await world.agent.post("/api/v1/agent_tokens")).body;
    expectProblem(await as(token).send("/api/v1/agent_tokens", bad), 403, "api_key_required");
    expectProblem(await as(token).post("/api/v1/agent_tokens", { scopes: [] }), 403, "api_key_required");
  });
});
