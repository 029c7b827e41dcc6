import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { fillCollection } from "../../support/collections.ts";
import { expectProblem } from "../../support/problem.ts";
import { LIMIT_ROWS, LIST_ROWS, TOKEN_ROWS } from "../../support/service-document.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

/** The server's clock, to check lifetimes to the millisecond. */
const NOW = new Date("2100-11-21T10:00:45.678Z");

/** More rows than fit on any page. */
const ROWS = 101;

let world: TestWorld;
let token: string;
let outsider: TestClient;

beforeAll(async () => {
  world = await createWorld({}, NOW);
  outsider = (await world.another()).agent;
  const instants = Array.from({ length: ROWS }, (_, index) => new Date(NOW.getTime() - index * 1000));
  for (const { key } of LIST_ROWS) await fillCollection(world.ctx, key, instants);
  token = (await world.agent.post("/api/v1/agent_tokens")).body.token;
});

afterAll(() => world.server.close());

function as(bearer: string): TestClient {
  return createTestClient(world.server.url, bearer);
}

describe("the document's token endpoints", () => {
  it.each(TOKEN_ROWS)("$method $path mints a token with the documented lifetime", async (row) => {
    const [lifetime] = row.lifetimes;
    expect(row.lifetimes).toEqual([lifetime, lifetime]);
    const { status, headers, body } = await world.agent.send(row.path, { method: row.method });
    expect(status).toBe(201);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.expires_in).toBe(lifetime);
    expect(body.expires_at).toBe(new Date(NOW.getTime() + Number(lifetime) * 1000).toISOString());
    expect(body.token).toEqual(expect.any(String));
  });

  it("lets only an API key mint access tokens", async () => {
    const socketToken = (await world.agent.post("/api/v1/socket_tokens")).body.token;
    expect(TOKEN_ROWS[0]).toMatchObject({ path: "/api/v1/agent_tokens", auth: "workspace API key" });
    expect((await as(world.apiKey).post("/api/v1/agent_tokens")).status).toBe(201);
    expectProblem(await as(token).post("/api/v1/agent_tokens"), 403, "api_key_required");
    expectProblem(await as(socketToken).post("/api/v1/agent_tokens"), 401, "invalid_token");
    expectProblem(await as(world.scimToken).post("/api/v1/agent_tokens"), 401, "invalid_token");
  });

  it("lets every agent credential mint socket tokens", async () => {
    const socketToken = (await world.agent.post("/api/v1/socket_tokens")).body.token;
    expect(TOKEN_ROWS[1]).toMatchObject({ path: "/api/v1/socket_tokens", auth: "agent credential" });
    expect((await as(world.apiKey).post("/api/v1/socket_tokens")).status).toBe(201);
    expect((await as(token).post("/api/v1/socket_tokens")).status).toBe(201);
    expectProblem(await as(socketToken).post("/api/v1/socket_tokens"), 401, "invalid_token");
    expectProblem(await as(world.scimToken).post("/api/v1/socket_tokens"), 401, "invalid_token");
  });

  it("gives each credential its format", async () => {
    const socketToken = (await world.agent.post("/api/v1/socket_tokens")).body.token;
    // In the document: agk_ followed by a first part, a dot, and a second part.
    expect(world.apiKey).toMatch(/^agk_[^.]+\.[^.]+$/);
    expect(world.apiKey).toMatch(/^agk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/);
    expect(token).toMatch(/^agt_[0-9A-Za-z]{49}$/);
    expect(socketToken).toMatch(/^ags_[0-9A-Za-z]{49}$/);
    expect(world.scimToken).toMatch(/^agp_[0-9A-Za-z]{49}$/);
  });
});

describe("the document's list endpoints", () => {
  it.each(LIST_ROWS)("$method $path returns $responseKeys and nothing else", async (row) => {
    const { status, headers, body } = await world.agent.send(row.path, { method: row.method });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(Object.keys(body).toSorted()).toEqual(row.responseKeys.toSorted());
    expect(Array.isArray(body[row.key])).toBe(true);
    if ("count" in body) expect(body.count).toBe(body[row.key].length);
    if ("pagination" in body) expect(body.pagination).toBeInstanceOf(Object);
  });

  it.each(LIST_ROWS)("$method $path keeps its envelope for an empty list", async (row) => {
    const { status, body } = await outsider.get(row.path);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(row.responseKeys.toSorted());
    expect(body[row.key]).toEqual([]);
  });

  it.each(LIST_ROWS)("$method $path accepts an API key and an access token", async (row) => {
    const [byKey, byToken] = [await as(world.apiKey).get(row.path), await as(token).get(row.path)];
    expect([byKey.status, byToken.status]).toEqual([200, 200]);
    expect(byToken.body).toEqual(byKey.body);
  });

  it.each(LIST_ROWS)(
    "$method $path is restricted to the credential's workspace, whatever the parameters",
    async (row) => {
      const parameters = Object.entries(row.parameters).map(([name, range]) => `${name}=${range.min}`);
      for (const wider of ["workspace_id", "workspace", "tenant", "tenant_id"]) {
        const query = [...parameters, `${wider}=${world.workspaceId}`].join("&");
        const headers = { "x-workspace-id": world.workspaceId };
        const { status, body } = await outsider.get(`${row.path}?${query}`, headers);
        expect(status).toBe(200);
        expect(body[row.key]).toEqual([]);
      }
    },
  );

  const whole = LIST_ROWS.filter(({ parameters }) => Object.keys(parameters).length === 0);
  it.each(whole)("$method $path returns the full result set", async ({ path, key }) => {
    expect(whole.map((row) => row.key)).toEqual(["robots", "missions"]);
    expect((await world.agent.get(path)).body[key]).toHaveLength(ROWS);
    expect((await world.agent.get(`${path}?limit=1&offset=50`)).body[key]).toHaveLength(ROWS);
  });

  it("carries its version in the path", async () => {
    for (const path of ["/api/tasks", "/api/v2/tasks", "/v1/tasks"]) {
      expectProblem(await world.agent.get(path), 404, "not_found");
    }
  });
});

describe("the document's limits", () => {
  const cases = LIMIT_ROWS.map((row) => {
    const key = row.path.split("/").at(-1) ?? "";
    return { ...row, key, ask: (value: number) => world.agent.get(`${row.path}?${row.parameter}=${value}`) };
  });

  it("are those of the list endpoints", () => {
    const listed = LIST_ROWS.flatMap(({ path, parameters }) =>
      Object.entries(parameters).map(([parameter, range]) => ({ path, parameter, range })),
    );
    expect(LIMIT_ROWS).toEqual(listed.map((row) => expect.objectContaining(row)));
    expect(listed).toHaveLength(7);
  });

  it.each(cases)("$row accepts $range.min", async ({ ask, key, parameter, range }) => {
    const { status, body } = await ask(range.min);
    expect(status).toBe(200);
    if (parameter === "limit") expect(body[key]).toHaveLength(range.min);
  });

  it.each(cases)("$row accepts $range.max", async ({ ask, key, parameter, range }) => {
    const { status, body } = await ask(range.max);
    expect(status).toBe(200);
    expect(body[key]).toHaveLength(parameter === "limit" ? range.max : 0);
  });

  it.each(cases)("$row rejects one below and one above, and names the range", async (row) => {
    const { ask, parameter, range } = row;
    for (const value of [range.min - 1, range.max + 1]) {
      const refused = await ask(value);
      expectProblem(refused, 400, "invalid_parameter");
      expect(refused.body.field).toBe(parameter);
      expect(refused.body.errors).toHaveLength(1);
      expect(refused.body.errors[0].field).toBe(parameter);
      expect(refused.body.errors[0].detail).toContain(`${range.min} to ${range.max}`);
    }
  });

  const defaults = cases.filter(({ range }) => range.default !== null);
  it.each(defaults)("$row is $range.default by default", async ({ path, key, range }) => {
    expect(defaults).toHaveLength(4);
    expect((await world.agent.get(path)).body[key]).toHaveLength(range.default ?? -1);
  });
});
