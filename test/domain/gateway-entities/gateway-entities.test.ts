import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteEntity } from "../../../src/domain/gateway-entities/delete-entity.ts";
import { listEntities } from "../../../src/domain/gateway-entities/list-entities.ts";
import { readEntity } from "../../../src/domain/gateway-entities/read-entity.ts";
import { saveEntity } from "../../../src/domain/gateway-entities/save-entity.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace("Acme")).workspaceId);
});

const ADA = { type: "user", entityId: "ada" };

describe("saveEntity", () => {
  it("creates an entity, then replaces its properties, and says so", async () => {
    const made = await saveEntity(ctx, { ...ADA, properties: { roles: ["editor"], n: 1 } });
    expect(made).toMatchObject({ ...ADA, properties: { roles: ["editor"], n: 1 }, generation: 1 });
    expect(await saveEntity(ctx, { ...ADA, properties: { roles: [] } })).toMatchObject({
      ...{ id: made.id, properties: { roles: [] }, generation: 2, updatedBy: { type: "system" } },
    });
    expect(await readEventTypes(server, made.id)).toEqual([
      "gateway_entity.created",
      "gateway_entity.updated",
    ]);
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "gateway_entity.updated",
      changes: { entity_type: "user", entity_id: "ada", properties: { roles: [] } },
    });
    expect(await listEntities(ctx, {})).toMatchObject({ total: 1, nodes: [{ entityId: "ada" }] });
  });

  it("changes nothing if the properties are equal, in whatever order", async () => {
    await saveEntity(ctx, { ...ADA, properties: { a: 1, b: [2] } });
    const { id, generation } = await saveEntity(ctx, { ...ADA, properties: { b: [2], a: 1 } });
    expect(generation).toBe(1);
    expect(await readEventTypes(server, id)).toEqual(["gateway_entity.created"]);
  });

  it("creates one entity if many do at once", async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => saveEntity(ctx, { ...ADA, properties: { n } })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await listEntities(ctx, {})).toMatchObject({ total: 1 });
    expect(await readEntity(ctx, ADA)).toMatchObject({ generation: 8 });
  });

  it.each([
    [{ type: "agent" }, "type"],
    [{ type: "robot" }, "type"],
    [{ type: "member" }, "type"],
    [{ type: "a b" }, "type"],
    [{ entityId: "" }, "entityId"],
    [{ entityId: "x".repeat(257) }, "entityId"],
    [{ entityId: "a\u0000" }, "entityId"],
    [{ properties: { text: "x".repeat(LIMITS.entityBytes) } }, "properties"],
  ])("rejects %j", async (...[extra, field]) => {
    const save = saveEntity(ctx, { ...ADA, properties: {}, ...extra });
    expect(await getErrorDetails(save)).toMatchObject({ field });
  });

  it("rejects more entities than a workspace may have, but changes those that exist", async () => {
    await saveEntity(ctx, { ...ADA, properties: {} });
    await server.database.query(
      "UPDATE collection_total SET total = $1 WHERE workspace_id = $2 AND collection = 'gateway_entities'",
      [LIMITS.gatewayEntities, ctx.workspaceId],
    );
    const another = saveEntity(ctx, { ...ADA, entityId: "eve", properties: {} });
    expect(await getErrorDetails(another)).toMatchObject({ field: "entityId" });
    expect(await saveEntity(ctx, { ...ADA, properties: { a: 1 } })).toMatchObject({ generation: 2 });
    expect(await getErrorCode(readEntity(ctx, { ...ADA, entityId: "eve" }))).toBe("not_found");
  });
});

describe("deleteEntity", () => {
  it("deletes it, and says so", async () => {
    const { id } = await saveEntity(ctx, { ...ADA, properties: {} });
    await deleteEntity(ctx, ADA);
    expect(await getErrorCode(readEntity(ctx, ADA))).toBe("not_found");
    expect(await getErrorCode(deleteEntity(ctx, ADA))).toBe("not_found");
    expect((await readEventTypes(server, id)).at(-1)).toBe("gateway_entity.deleted");
    expect(await listEntities(ctx, {})).toMatchObject({ total: 0, nodes: [] });
  });
});

it("lists entities of one type, newest first", async () => {
  for (const entityId of ["a", "b", "c"]) {
    await saveEntity(ctx, { type: entityId === "b" ? "todo" : "user", entityId, properties: {} });
  }
  const { nodes, total } = await listEntities(ctx, {}, { type: "user" });
  expect({ total, ids: nodes.map(({ entityId }) => entityId) }).toEqual({ total: 2, ids: ["c", "a"] });
});

function as(role: Role, isSudo = true): Ctx {
  return personCtx(server, { id: crypto.randomUUID(), workspaceId: ctx.workspaceId }, { role, isSudo });
}

it("is for admins who entered their password recently, and for readers to read", async () => {
  const properties = {};
  await saveEntity(as("admin"), { ...ADA, properties });
  expect(await getErrorCode(saveEntity(as("admin", false), { ...ADA, properties }))).toBe("sudo_required");
  for (const role of ["operator", "viewer"] as const) {
    const person = as(role);
    expect(await getErrorCode(saveEntity(person, { ...ADA, properties }))).toBe("forbidden");
    expect(await getErrorCode(deleteEntity(person, ADA))).toBe("forbidden");
    expect(await readEntity(person, ADA)).toMatchObject(ADA);
  }
});
