import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startDenialEvents } from "../../../src/domain/decisions/start-denial-events.ts";
import { listEvents } from "../../../src/domain/event-log/list-events.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Scope } from "../../../src/domain/kernel/scopes.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { createDecisionRow } from "../../support/decision-row.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { holdLock } from "../../support/locked-table.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;
let ctx: Ctx;
let agentId: string;
let start: string;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

beforeEach(async () => {
  ctx = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
  agentId = await insertTestAgent(ctx);
  ({ cursor: start } = await listEvents(ctx, {}));
});

/** Denies this often. @returns the last decision's id. */
async function deny(count: number, policyId: string | null, workspaceId = ctx.workspaceId): Promise<string> {
  const policy = { generation: 1, name: "x", effect: "deny", mode: "enforce", result: true } as const;
  const matched = policyId === null ? [] : [{ ...policy, id: policyId, decided: true }];
  const rows = Array.from({ length: count }, () =>
    createDecisionRow(new Date(), { workspaceId, agentId, matched }),
  );
  await Promise.all(rows.map(quiet.services.decisions.store));
  return (
    rows
      .map(({ id }) => id)
      .toSorted()
      .at(-1) ?? ""
  );
}

async function readDenials(asked = ctx) {
  const { events } = await listEvents(asked, { after: start, types: ["decision.*"] });
  return events.map(({ type, subjectId, agentId: agent, data }) => ({
    type,
    subjectId,
    agentId: agent,
    data,
  }));
}

describe("decision.denied", () => {
  it("is one event for many denials of an agent by a policy, with their number and the last one", async () => {
    const policyId = crypto.randomUUID();
    const first = await deny(30, policyId);
    const second = await deny(5, null);
    await quiet.services.decisions.store(
      createDecisionRow(new Date(), {
        workspaceId: ctx.workspaceId,
        agentId,
        outcome: "ask",
        reason: "approval_required",
      }),
    );
    await startDenialEvents(quiet.services).stop();
    const event = (subjectId: string, data: object) => ({
      type: "decision.denied",
      subjectId,
      agentId,
      data,
    });
    expect(await readDenials()).toEqual([
      event(first, { policyId, reason: "default_deny", count: 30 }),
      event(second, { policyId: null, reason: "default_deny", count: 5 }),
    ]);
    await startDenialEvents(quiet.services).stop();
    expect(await readDenials()).toHaveLength(2);
  });

  it("comes within seconds, once a second at most, and of a locked workspace later", async () => {
    const job = startDenialEvents(quiet.services);
    const lock = await holdLock(
      quiet.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [ctx.workspaceId],
    );
    const other = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
    await deny(1, null);
    await deny(1, null, other.workspaceId);
    const count = async (asked: Ctx) => await asked.db.event.count({ where: { type: "decision.denied" } });
    await expect.poll(() => count(other), PATIENCE).toBe(1);
    expect(await count(ctx)).toBe(0);
    await deny(4, null);
    await lock.release();
    await expect
      .poll(async () => {
        const events = await readDenials();
        return events.reduce((sum, { data }) => sum + Number(Reflect.get(Object(data), "count")), 0);
      }, PATIENCE)
      .toBe(5);
    await job.stop();
  });

  it("is for those who may read decisions", async () => {
    await deny(1, null);
    await startDenialEvents(quiet.services).stop();
    const agent = (...scopes: Scope[]) =>
      agentCtx(quiet, { id: agentId, workspaceId: ctx.workspaceId }, { scopes });
    expect(await readDenials(agent("events:read", "gateway:read"))).toHaveLength(1);
    expect(await readDenials(agent("events:read"))).toEqual([]);
  });
});
