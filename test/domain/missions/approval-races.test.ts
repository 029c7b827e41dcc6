import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { cancelMission } from "../../../src/domain/missions/cancel-mission.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { getErrorCode } from "../../support/callers.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import {
  type WaitingMission,
  createWaitingMission,
  sweepApprovalsLater,
} from "../../support/waiting-mission.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function countDeadlocks(): Promise<number> {
  const [row] = await world.server.database.query<{ deadlocks: number }>(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.deadlocks ?? -1;
}

describe("two who decide about a waiting mission at once", () => {
  const RIVALS: [string, (waiting: WaitingMission) => Promise<unknown>][] = [
    ["cancels it", async ({ ctx, missionId }) => cancelMission(ctx, { id: missionId })],
    [
      "denies it",
      async ({ person, approvalId }) => denyApproval(await person(), { id: approvalId, comment: "No." }),
    ],
    ["sweeps it", async () => sweepApprovalsLater(world)],
    [
      "stops its robot",
      async ({ ctx, robotId }) => setAgentControlState(ctx, { id: robotId, controlState: "stopped" }),
    ],
    ["stops the workspace", async ({ ctx }) => emergencyStop(ctx, { reason: "Fire." })],
  ];

  it.each(RIVALS)(
    "have one outcome if one approves it and the other %s",
    { timeout: 120_000 },
    async (_name, rival) => {
      const waiting = await createWaitingMission(world);
      const { agent, create, person, ctx, robotId } = waiting;
      await cancelMission(ctx, { id: waiting.missionId });
      const approver = await person();
      const deadlocks = await countDeadlocks();
      for (let round = 0; round < 25; round++) {
        const { id, approvalId } = await create(agent);
        const one = { ...waiting, missionId: id, approvalId: approvalId ?? "" };
        const acts = [() => grantApproval(approver, { id: one.approvalId }), () => rival(one)];
        await Promise.allSettled((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
        const [mission, approval] = [await one.readMission(id), await one.readApproval(approvalId)];
        const wasApproved = approval.status === "approved";
        expect(mission.error === null || !wasApproved).toBe(true);
        expect(approval.status).not.toBe("pending");
        expect(wasApproved ? ["pending", "assigned", "canceled"] : ["canceled", "expired"]).toContain(
          mission.status,
        );
        const starts = await ctx.db.agentCommand.count({ where: { type: "mission.start", missionId: id } });
        expect(starts).toBeLessThanOrEqual(wasApproved ? 1 : 0);
        if (mission.finishedAt === null) await cancelMission(ctx, { id, force: true });
        const events = await readEventTypes(world.server, id);
        expect(events.filter((type) => type === "mission.finished")).toHaveLength(1);
        // There is none in most rounds.
        await getErrorCode(releaseEmergencyStop(ctx, { reason: "over" }));
        await setAgentControlState(ctx, { id: robotId, controlState: "active" });
      }
      expect(await countDeadlocks()).toBe(deadlocks);
    },
  );
});
