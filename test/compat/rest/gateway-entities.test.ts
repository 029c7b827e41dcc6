import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ALLOW, type GatewayScene, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const ENTITIES = "/api/v1/gateway/entities";

let world: TestWorld;
let scene: GatewayScene;
let ctx: Ctx;
let agent: TestClient;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createGatewayScene(world);
  ({ ctx, agent } = scene);
});

function save(path: string, properties: unknown, by = agent) {
  return by.send(`${ENTITIES}/${path}`, { method: "PUT", body: { properties } });
}

describe("/api/v1/gateway/entities", () => {
  it("keeps entities under ids of any characters", async () => {
    const id = "ada@example.com / 7?&%";
    const path = `user/${encodeURIComponent(id)}`;
    const made = await save(path, { roles: ["editor"] });
    expect(made).toMatchObject({
      ...{ status: 200, body: { entity: { type: "user", id, properties: { roles: ["editor"] } } } },
    });
    expect((await agent.get(`${ENTITIES}/${path}`)).body).toEqual(made.body);
    await save("todo/1", {});
    const listed = await agent.get(`${ENTITIES}?type=user`);
    expect(listed.body).toMatchObject({ count: 1, entities: [{ id }], pagination: { total: 1 } });
    expect((await agent.delete(`${ENTITIES}/${path}`)).status).toBe(204);
    expect((await agent.get(`${ENTITIES}/${path}`)).status).toBe(404);
    expect((await agent.delete(`${ENTITIES}/${path}`)).status).toBe(404);
  });

  it("needs gateway:delegate", async () => {
    const other = await scene.agentWith("gateway:check", "gateway:read");
    const answers = [
      await save("user/ada", {}, other),
      await other.get(ENTITIES),
      await other.get(`${ENTITIES}/user/ada`),
      await other.delete(`${ENTITIES}/user/ada`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it.each([
    ["agent/x", {}, 422],
    ["robot/x", {}, 422],
    ["a%20b/x", {}, 404],
    ["user/x", [], 422],
    ["user/x", { text: "x".repeat(16_384) }, 422],
  ])("rejects %s", async (...[path, properties, status]) => {
    expect((await save(path, properties)).status).toBe(status);
  });
});

describe("a check", () => {
  const EDITORS = {
    ...{ ...ALLOW, subjects: [{ type: "user" }] },
    when: 'has(subject.properties.roles) && "editor" in subject.properties.roles',
  };
  const by = (subject: object) => refund({}, { subject: { type: "user", id: "ada", ...subject } });

  it("takes stored properties of a subject for which the request has none", async () => {
    await createPolicy(ctx, EDITORS);
    expect(await check(agent, by({}))).toMatchObject({ status: "denied" });
    await save("user/ada", { roles: ["editor"] });
    expect(await check(agent, by({}))).toMatchObject({ status: "allowed" });
    expect(await check(agent, by({ properties: {} }))).toMatchObject({ status: "allowed" });
    expect(await check(agent, by({ properties: { roles: [] } }))).toMatchObject({ status: "denied" });
    expect(await check(agent, by({ id: "eve" }))).toMatchObject({ status: "denied" });
    expect(await check(agent, by({ type: "person" }))).toMatchObject({ status: "denied" });
    await save("user/ada", { roles: [] });
    expect(await check(agent, by({}))).toMatchObject({ status: "denied" });
  });

  it("takes stored properties of a resource for which the request has none", async () => {
    await createPolicy(ctx, { ...ALLOW, when: 'resource.properties.risk == "low"' });
    await save("tool/stripe.refund", { risk: "low" });
    expect(await check(agent, refund())).toMatchObject({ status: "allowed" });
    const resource = { type: "tool", id: "stripe.refund", properties: { risk: "high" } };
    expect(await check(agent, refund({}, { resource }))).toMatchObject({ status: "denied" });
  });

  it("knows an identity that is an entity, but not one that is an archived agent", async () => {
    await createPolicy(ctx, ALLOW);
    const subject = { type: "identity", id: "svc-7" };
    expect(await check(agent, refund({}, { subject }))).toMatchObject({ reason: "request_unusable" });
    await save("identity/svc-7", {});
    expect(await check(agent, refund({}, { subject }))).toMatchObject({ status: "allowed" });
    const archived = await insertTestAgent(ctx);
    await save(`identity/${archived}`, {});
    await world.server.database.query("UPDATE agent SET archived_at = now() WHERE id = $1", [archived]);
    const old = { type: "identity", id: archived };
    expect(await check(agent, refund({}, { subject: old }))).toMatchObject({ reason: "agent_stopped" });
  });

  it("takes no properties of another workspace", async () => {
    await createPolicy(ctx, EDITORS);
    const other = await createGatewayScene(world);
    await save("user/ada", { roles: ["editor"] }, other.agent);
    expect(await check(agent, by({}))).toMatchObject({ status: "denied" });
  });
});
