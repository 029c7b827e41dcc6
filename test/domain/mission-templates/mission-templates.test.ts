import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { deleteMissionTemplate } from "../../../src/domain/mission-templates/delete-mission-template.ts";
import { listMissionTemplates } from "../../../src/domain/mission-templates/list-mission-templates.ts";
import { setMissionTemplate } from "../../../src/domain/mission-templates/set-mission-template.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { lastAudit } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const RESTOCK = {
  ...{ name: "Restock", title: "Restock hall A", kind: "transport" },
  steps: [{ key: "drive", type: "move", params: { station: "dock-1" } }],
} satisfies Parameters<typeof setMissionTemplate>[1];

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = userCtx(server, (await server.createWorkspace()).workspaceId, "operator");
});

describe("templates of missions", () => {
  it("are created, replaced and deleted with an event and an audit row each", async () => {
    const made = await setMissionTemplate(ctx, RESTOCK);
    expect(made).toMatchObject({ ...RESTOCK, priority: 5, selector: null, generation: 1 });
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      ...{ action: "mission_template.created", target_id: made.id },
      changes: { name: "Restock", title: "Restock hall A", kind: "transport", steps: 1 },
    });
    expect(await setMissionTemplate(ctx, RESTOCK)).toMatchObject({ id: made.id, generation: 1 });
    const selector = { fleet: "hall-a", labels: { lift: "yes" } };
    const steps = [...RESTOCK.steps, { key: "wait", type: "wait", params: { seconds: 5 } } as const];
    const wanted = { ...RESTOCK, steps, selector, minBatteryPercent: 20, priority: 9 };
    const replaced = await setMissionTemplate(ctx, wanted);
    expect(replaced).toMatchObject({ ...wanted, id: made.id, generation: 2 });
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "mission_template.updated",
      changes: { name: "Restock", steps: { from: 1, to: 2 }, priority: { from: 5, to: 9 } },
    });
    expect(await setMissionTemplate(ctx, wanted)).toMatchObject({ generation: 2 });
    expect(await setMissionTemplate(ctx, { ...wanted, selector: null })).toMatchObject({ selector: null });
    expect(await listMissionTemplates(ctx)).toMatchObject([{ id: made.id, generation: 3 }]);
    await deleteMissionTemplate(ctx, { name: "Restock" });
    expect(await listMissionTemplates(ctx)).toEqual([]);
    expect(await getErrorCode(deleteMissionTemplate(ctx, { name: "Restock" }))).toBe("not_found");
    const events = await server.database.query<{ type: string; data: unknown }>(
      "SELECT type, data FROM event WHERE workspace_id = $1 AND subject_id = $2 ORDER BY seq",
      [ctx.workspaceId, made.id],
    );
    expect(events.map(({ type }) => type.split(".")[1])).toEqual([
      ...["created", "updated", "updated", "deleted"],
    ]);
    expect(events[0]?.data).toEqual({ name: "Restock", generation: 1 });
  });

  it("have what a mission can have", async () => {
    const wrong = [
      [{ steps: [] }, "steps"],
      [{ steps: [...RESTOCK.steps, ...RESTOCK.steps] }, "steps.1.key"],
      [
        { steps: [{ key: "big", type: "custom", params: { text: "x".repeat(LIMITS.missionStepsBytes) } }] },
        "steps",
      ],
      [{ title: "" }, "title"],
      [{ name: "x".repeat(LIMITS.nameLength + 1) }, "name"],
      [{ priority: 10 }, "priority"],
      [{ minBatteryPercent: 101 }, "minBatteryPercent"],
    ] as const;
    for (const [change, field] of wrong) {
      const input = { ...RESTOCK, ...change } as Parameters<typeof setMissionTemplate>[1];
      expect(await getErrorDetails(setMissionTemplate(ctx, input))).toMatchObject({
        field: expect.stringContaining(field),
      });
    }
    expect(await listMissionTemplates(ctx)).toEqual([]);
  });

  it(`are at most ${LIMITS.missionTemplates}, also if two people create the last one at once`, async () => {
    const create = (number: number) => setMissionTemplate(ctx, { ...RESTOCK, name: `Template ${number}` });
    for (let number = 1; number < LIMITS.missionTemplates; number++) await create(number);
    const both = await Promise.allSettled([create(100), create(101)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await getErrorDetails(create(102))).toMatchObject({ field: "name" });
    expect(await create(1)).toMatchObject({ generation: 1 });
    expect(await listMissionTemplates(ctx)).toHaveLength(LIMITS.missionTemplates);
  });

  it("are for operators, and are read by whoever reads missions", async () => {
    await setMissionTemplate(ctx, RESTOCK);
    const viewer = userCtx(server, ctx.workspaceId, "viewer");
    expect(await listMissionTemplates(viewer)).toHaveLength(1);
    expect(await getErrorCode(setMissionTemplate(viewer, RESTOCK))).toBe("forbidden");
    expect(await getErrorCode(deleteMissionTemplate(viewer, { name: "Restock" }))).toBe("forbidden");
    const known = { id: await insertTestAgent(ctx), workspaceId: ctx.workspaceId };
    const agent = agentCtx(server, known, { scopes: ["missions:write"] });
    expect(await getErrorCode(setMissionTemplate(agent, RESTOCK))).toBe("forbidden");
    expect(await getErrorCode(listMissionTemplates(agent))).toBe("insufficient_scope");
    const other = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await listMissionTemplates(other)).toEqual([]);
    expect(await getErrorCode(deleteMissionTemplate(other, { name: "Restock" }))).toBe("not_found");
  });
});
