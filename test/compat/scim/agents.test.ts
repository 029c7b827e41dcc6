import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import {
  type Idp,
  type ScimWorld,
  URN,
  agentBody,
  createScimWorld,
  patchBody,
  userBody,
  word,
} from "../../support/scim-world.ts";
import { agentSocket } from "../../support/socket-client.ts";
import { createTestClient } from "../../support/test-client.ts";

let world: ScimWorld;
let idp: Idp;
let ctx: Ctx;
let apiKey: string;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  ({ idp, ctx, apiKey } = await world.another());
});

async function create(fields: Record<string, unknown> = {}) {
  const { status, body } = await idp.post("/Agents", agentBody(fields));
  expect(status).toBe(201);
  return body;
}

const activate = (value: unknown) => patchBody({ op: "replace", path: "active", value });

/** Mints a token for the agent by the workspace's primary key. */
async function mint(handle: string): Promise<string> {
  const { body } = await createTestClient(world.server.url, apiKey).post("/api/v1/agent_tokens", {
    agent: { handle },
  });
  return body.token;
}

async function whoAmI(bearer: string): Promise<number> {
  return (await createTestClient(world.server.url, bearer).get("/api/v1/whoami")).status;
}

describe("an agent", () => {
  it("is created, read, found and listed as the draft shows it", async () => {
    const handle = word();
    const made = await create({ agentUserName: handle, externalId: "ext-1", displayName: "Reply bot" });
    expect(made).toMatchObject({
      ...{ schemas: [URN.agent], agentUserName: handle, displayName: "Reply bot", externalId: "ext-1" },
      ...{ agentType: "software", active: true },
      meta: { resourceType: "Agent", location: `${world.server.url}/scim/v2/Agents/${made.id}` },
    });
    expect((await idp.get(`/Agents/${made.id}`)).body).toEqual(made);
    for (const filter of [
      `agentUserName eq "${handle}"`,
      'externalId eq "ext-1"',
      'displayName sw "reply"',
    ]) {
      const { body } = await idp.get(`/Agents?filter=${encodeURIComponent(filter)}`);
      expect(body).toMatchObject({ totalResults: 1, Resources: [made] });
    }
    // The workspace's primary key has one too.
    expect((await idp.get("/Agents")).body.totalResults).toBe(2);
    expect((await idp.get("/Agents?sortBy=agentUserName&count=1&cursor=")).body.Resources).toHaveLength(1);
    expect(await whoAmI(await mint(handle))).toBe(200);
  });

  it("is found among all resources", async () => {
    const made = await create();
    const user = (await idp.post("/Users", userBody())).body;
    const all = (await idp.post("/.search", { schemas: [URN.search] })).body;
    const ids = all.Resources.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([made.id, user.id]));
    expect(all.totalResults).toBe(ids.length);
    const filter = encodeURIComponent(`agentUserName eq "${made.agentUserName}"`);
    expect((await idp.get(`/?filter=${filter}`)).body.Resources).toEqual([made]);
    expect((await idp.post("/Agents/.search", { schemas: [URN.search] })).body.totalResults).toBe(2);
  });

  it("is called as its handle without a name, and is a robot if said", async () => {
    const made = await create({ agentType: "robot" });
    expect(made.displayName).toBe(made.agentUserName);
    expect(await ctx.db.robot.count()).toBe(1);
  });

  it.each([
    ["agentUserName", { agentUserName: "Not A Handle" }],
    ["agentUserName", { agentUserName: undefined }],
    ["agentType", { agentType: "person" }],
    ["displayName", { displayName: "x".repeat(101) }],
    ["active", { active: "maybe" }],
  ])("needs a sound %s", async (field, fields) => {
    const { status, body } = await idp.post("/Agents", agentBody(fields));
    expect([status, body.scimType]).toEqual([400, "invalidValue"]);
    expect(body.detail).toContain(field);
  });

  it("has a handle that no other agent has or had", async () => {
    const { agentUserName, id } = await create();
    const again = await idp.post("/Agents", agentBody({ agentUserName }));
    expect([again.status, again.body.scimType]).toEqual([409, "uniqueness"]);
    await idp.delete(`/Agents/${id}`);
    expect((await idp.post("/Agents", agentBody({ agentUserName }))).status).toBe(409);
  });

  it("changes its name, description and external id, by PATCH and by PUT", async () => {
    const made = await create({ externalId: "one" });
    const patched = await idp.patch(
      `/Agents/${made.id}`,
      patchBody({ op: "replace", value: { displayName: "New", description: "Answers." } }),
    );
    expect(patched.body).toMatchObject({ displayName: "New", description: "Answers.", externalId: "one" });
    expect(patched.body.meta.version).not.toBe(made.meta.version);
    const { agentUserName } = made;
    const put = await idp.put(`/Agents/${made.id}`, agentBody({ agentUserName, displayName: "Newer" }));
    expect(put.body).toMatchObject({ displayName: "Newer", active: true, agentType: "software" });
    expect([put.body.description, put.body.externalId]).toEqual([undefined, undefined]);
    const same = await idp.put(`/Agents/${made.id}`, agentBody({ agentUserName, displayName: "Newer" }));
    expect(same.body).toEqual(put.body);
    expect(await world.readNames("audit_event", made.id)).toEqual([
      "agent.created",
      "agent.updated",
      "agent.updated",
    ]);
  });

  it.each([
    ["agentUserName", "other"],
    ["agentType", "robot"],
  ])("keeps its %s", async (path, value) => {
    const { id } = await create();
    const { status, body } = await idp.patch(`/Agents/${id}`, patchBody({ op: "replace", path, value }));
    expect([status, body.scimType]).toEqual([400, "mutability"]);
  });

  it("is changed only as the version that was read", async () => {
    const { id, meta } = await create();
    await idp.patch(`/Agents/${id}`, patchBody({ op: "replace", path: "displayName", value: "New" }));
    const late = await idp.patch(`/Agents/${id}`, activate(false), { "if-match": meta.version });
    expect(late.status).toBe(412);
    expect((await idp.get(`/Agents/${id}`)).body.active).toBe(true);
  });

  it("of another workspace isn't there", async () => {
    const { id } = await create();
    const other = await world.another();
    expect((await other.idp.get(`/Agents/${id}`)).status).toBe(404);
    expect((await other.idp.patch(`/Agents/${id}`, activate(false))).status).toBe(404);
    expect((await other.idp.delete(`/Agents/${id}`)).status).toBe(404);
    expect((await idp.get(`/Agents/${id}`)).body.active).toBe(true);
  });

  it("is created and changed within a Bulk", async () => {
    const agentUserName = word();
    const data = agentBody({ agentUserName });
    const { body } = await idp.post("/Bulk", {
      schemas: [URN.bulk],
      Operations: [
        { method: "PATCH", path: "/Agents/bulkId:a", data: activate(false) },
        { method: "POST", path: "/Agents", bulkId: "a", data },
      ],
    });
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(["200", "201"]);
    const filter = encodeURIComponent(`agentUserName eq "${agentUserName}" and active eq false`);
    expect((await idp.get(`/Agents?filter=${filter}`)).body.totalResults).toBe(1);
  });
});

describe("an agent that leaves", () => {
  it.each<[string, (id: string) => Promise<{ status: number }>]>([
    ["False by PATCH", (id) => idp.patch(`/Agents/${id}`, activate("False"))],
    ["DELETE", (id) => idp.delete(`/Agents/${id}`)],
  ])("loses its tokens, keys and sockets at once, by %s", async (how, leave) => {
    const { id, agentUserName } = await create();
    const key = await createApiKey(ctx, { name: "own", scopes: ["events:read"], agentHandle: agentUserName });
    const ofKey = await createTestClient(world.server.url, key.secret).post("/api/v1/agent_tokens", {});
    const bearers = [await mint(agentUserName), key.secret, ofKey.body.token];
    const sockets = await Promise.all(bearers.map((bearer) => agentSocket(world.server.url, bearer)));
    expect((await leave(id)).status).toBeLessThan(300);
    for (const socket of sockets) expect((await socket.closed).code).toBe(4401);
    for (const bearer of bearers) expect(await whoAmI(bearer)).toBe(401);
    const minted = await createTestClient(world.server.url, apiKey).post("/api/v1/agent_tokens", {
      agent: { handle: agentUserName },
    });
    expect(minted.status).toBe(422);
    const events = how === "DELETE" ? ["agent.archived", "agent.deleted"] : ["agent.archived"];
    expect(await world.readNames("event", id)).toEqual(["agent.created", ...events]);
    expect(await world.readNames("audit_event", id)).toEqual(["agent.created", ...events]);
    expect(await world.readNames("audit_event", key.apiKey.id)).toContain("api_key.revoked");
  });

  it("is inactive, and can come back without its credentials", async () => {
    const { id, agentUserName } = await create({ active: false });
    const token = await createTestClient(world.server.url, apiKey).post("/api/v1/agent_tokens", {
      agent: { handle: agentUserName },
    });
    expect(token.status).toBe(422);
    expect((await idp.patch(`/Agents/${id}`, activate(true))).body.active).toBe(true);
    const bearer = await mint(agentUserName);
    await idp.patch(`/Agents/${id}`, activate(false));
    expect((await idp.patch(`/Agents/${id}`, activate(true))).body.active).toBe(true);
    expect(await whoAmI(bearer)).toBe(401);
    expect(await whoAmI(await mint(agentUserName))).toBe(200);
    expect(await world.readNames("event", id)).toContain("agent.restored");
  });

  it("doesn't come back while a stop covers it", async () => {
    const { id } = await create({ active: false });
    await emergencyStop(ctx, { reason: "fire" });
    const { status, body } = await idp.patch(`/Agents/${id}`, activate(true));
    expect(status).toBe(403);
    expect(body.detail).toContain("stop");
    expect((await idp.get(`/Agents/${id}`)).body.active).toBe(false);
  });

  it("is not found any more once it is deleted, and neither counted", async () => {
    const { id } = await create({ externalId: "x" });
    expect((await idp.delete(`/Agents/${id}`)).status).toBe(204);
    expect((await idp.get(`/Agents/${id}`)).status).toBe(404);
    expect((await idp.delete(`/Agents/${id}`)).status).toBe(404);
    expect((await idp.get("/Agents")).body.totalResults).toBe(1);
    expect((await idp.get("/Agents?filter=externalId%20eq%20%22x%22")).body.totalResults).toBe(0);
  });

  it("may not have the primary key, which others depend on", async () => {
    const { body } = await idp.get("/Agents");
    const [{ id }] = body.Resources;
    for (const answer of [
      await idp.patch(`/Agents/${id}`, activate(false)),
      await idp.delete(`/Agents/${id}`),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toContain("primary");
    }
    expect(await whoAmI(apiKey)).toBe(200);
  });
});
