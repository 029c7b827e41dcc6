import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteFloorPlan } from "../../../src/domain/floor-plans/delete-floor-plan.ts";
import { listFloorPlans } from "../../../src/domain/floor-plans/list-floor-plans.ts";
import { readFloorPlanImage } from "../../../src/domain/floor-plans/read-floor-plan-image.ts";
import { setFloorPlan } from "../../../src/domain/floor-plans/set-floor-plan.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { lastAudit } from "../../support/person-ctx.ts";
import { buildPng } from "../../support/png.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const POSE = { resolution: 0.05, originX: -10, originY: -4.5, originYaw: 0 };

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = userCtx(server, (await server.createWorkspace()).workspaceId, "operator");
});

describe("floor plans", () => {
  it("are created, moved, replaced and deleted with an event and an audit row each", async () => {
    const made = await setFloorPlan(ctx, { ...POSE, mapId: "hall", image: buildPng(6, 4) });
    expect(made).toMatchObject({ mapId: "hall", mediaType: "image/png", width: 6, height: 4, generation: 1 });
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      ...{ action: "floor_plan.created", target_id: made.id },
      changes: { map_id: "hall", resolution: 0.05, origin_x: -10, image_hash: made.imageHash },
    });
    const moved = await setFloorPlan(ctx, { ...POSE, mapId: "hall", originX: 2 });
    expect(moved).toMatchObject({ id: made.id, originX: 2, imageHash: made.imageHash, generation: 2 });
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      ...{ action: "floor_plan.updated", changes: { map_id: "hall", origin_x: { from: -10, to: 2 } } },
    });
    expect(await setFloorPlan(ctx, { ...POSE, mapId: "hall", originX: 2 })).toMatchObject({ generation: 2 });
    const replaced = await setFloorPlan(ctx, { ...POSE, mapId: "hall", image: buildPng(8, 4) });
    expect(replaced).toMatchObject({ id: made.id, width: 8, generation: 3 });
    expect(await listFloorPlans(ctx)).toEqual([replaced]);
    await deleteFloorPlan(ctx, { mapId: "hall" });
    expect(await listFloorPlans(ctx)).toEqual([]);
    expect(await getErrorCode(deleteFloorPlan(ctx, { mapId: "hall" }))).toBe("not_found");
    const events = await server.database.query<{ type: string; data: unknown }>(
      "SELECT type, data FROM event WHERE workspace_id = $1 AND subject_id = $2 ORDER BY seq",
      [ctx.workspaceId, made.id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      ...["floor_plan.created", "floor_plan.updated", "floor_plan.updated", "floor_plan.deleted"],
    ]);
    expect(events[0]?.data).toEqual({ map_id: "hall", generation: 1 });
  });

  it("have images that are read unless the caller has them", async () => {
    const { id, imageHash } = await setFloorPlan(ctx, { ...POSE, mapId: "hall", image: buildPng(6, 4) });
    const read = await readFloorPlanImage(ctx, { id });
    expect(Buffer.from(read.image ?? [])).toEqual(buildPng(6, 4));
    expect(await readFloorPlanImage(ctx, { id, knownHash: imageHash })).toMatchObject({ image: null });
    expect((await readFloorPlanImage(ctx, { id, knownHash: "another" })).image).not.toBeNull();
    const other = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await getErrorCode(readFloorPlanImage(other, { id }))).toBe("not_found");
    expect(await getErrorCode(readFloorPlanImage(other, { id, knownHash: imageHash }))).toBe("not_found");
  });

  it("are set and deleted by operators, and read by viewers", async () => {
    const input = { ...POSE, mapId: "hall", image: buildPng(6, 4) };
    const viewer = userCtx(server, ctx.workspaceId, "viewer");
    const agent = agentCtx(server, { id: await insertTestAgent(ctx), workspaceId: ctx.workspaceId });
    for (const caller of [viewer, agent]) {
      expect(await getErrorCode(setFloorPlan(caller, input))).toBe("forbidden");
      expect(await getErrorCode(deleteFloorPlan(caller, { mapId: "hall" }))).toBe("forbidden");
    }
    expect(await listFloorPlans(viewer)).toEqual([]);
  });

  it("need an image, and a place that exists", async () => {
    const first = setFloorPlan(ctx, { ...POSE, mapId: "hall" });
    expect(await getErrorDetails(first)).toMatchObject({ field: "image" });
    const image = buildPng(6, 4);
    for (const wrong of [{ resolution: 0 }, { originX: 1e9 }, { originYaw: 7 }, { mapId: "" }]) {
      const set = setFloorPlan(ctx, { ...POSE, mapId: "hall", image, ...wrong });
      const [field] = Object.keys(wrong);
      expect(await getErrorDetails(set)).toMatchObject({ field });
    }
  });

  it("are as many, and as large together, as a workspace may have", async () => {
    const image = buildPng(6, 4);
    for (let nth = 1; nth <= LIMITS.floorPlans; nth++) {
      await setFloorPlan(ctx, { ...POSE, mapId: `hall-${nth}`, image });
    }
    expect(await getErrorDetails(setFloorPlan(ctx, { ...POSE, mapId: "one more", image }))).toMatchObject({
      field: "mapId",
    });
    await server.database.query(
      "UPDATE floor_plan SET size_bytes = $2 WHERE workspace_id = $1 AND map_id = 'hall-1'",
      [ctx.workspaceId, LIMITS.floorPlansBytes],
    );
    expect(await getErrorDetails(setFloorPlan(ctx, { ...POSE, mapId: "hall-2", image }))).toMatchObject({
      field: "image",
    });
    expect(await setFloorPlan(ctx, { ...POSE, mapId: "hall-1", image })).toMatchObject({ generation: 2 });
  });
});
