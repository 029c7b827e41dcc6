import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { failTask } from "../../../src/domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { releaseTask } from "../../../src/domain/tasks/release-task.ts";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
import { checkAuditChain } from "../../support/audit-chain.ts";
import { userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { createWorker } from "../../support/workers.ts";
import { runs } from "../../support/property-runs.ts";

const START = Date.parse("2100-01-01T00:00:00.000Z");
const TASKS = 3;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** The sequential actions of one actor, while others run theirs. */
type Act = { kind: string; task: number; seconds: number };

const worker = fc.record({
  kind: fc.constantFrom("claim", "claim", "complete", "fail", "release", "heartbeat", "ask"),
  task: fc.nat(TASKS - 1),
  seconds: fc.constant(0),
});
const other = fc.record({
  kind: fc.constantFrom("cancel", "answer", "sweep", "sweep", "pass"),
  task: fc.nat(TASKS - 1),
  seconds: fc.constantFrom(5, 30, 61),
});

type Stage = {
  ids: string[];
  actors: Ctx[];
  leases: Map<string, string>;
  questions: string[];
  clock: { s: number };
};

/** Runs one action with the task's latest lease. Errors are checked by the rules. */
async function perform(ctx: Ctx, stage: Stage, { kind, task, seconds }: Act): Promise<void> {
  ctx.now = new Date(START + stage.clock.s * 1000);
  const id = stage.ids[task] ?? "";
  const held = { id, leaseToken: stage.leases.get(id) ?? "none" };
  const parts = [{ text: "x" }];
  try {
    if (kind === "claim") {
      const claim = await claimTask(ctx, {});
      if (claim !== null) stage.leases.set(claim.task.id, claim.lease.token);
    }
    if (kind === "complete") await completeTask(ctx, held);
    if (kind === "fail") await failTask(ctx, { ...held, error: { message: "x" } });
    if (kind === "release") await releaseTask(ctx, held);
    if (kind === "heartbeat") await heartbeatTask(ctx, held);
    if (kind === "ask") {
      const asked = { taskId: id, leaseToken: held.leaseToken, inputTimeoutSeconds: 60 };
      stage.questions.push((await sendMessage(ctx, { kind: "question", parts, ...asked })).message.id);
    }
    const replyToId = stage.questions.at(-1);
    if (kind === "answer" && replyToId) await sendMessage(ctx, { kind: "answer", replyToId, parts });
    if (kind === "cancel") await cancelTask(ctx, { id });
    if (kind === "sweep") await sweepTasks(ctx.services, ctx.now);
    if (kind === "pass") stage.clock.s += seconds;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(["lease_lost", "invalid_state"]).toContain(error.code);
  }
}

type LoggedEvent = {
  subject_id: string;
  type: string;
  data: { status: string; attempt: number; generation: number };
};

const TERMINAL = new Set(["completed", "failed", "canceled", "rejected"]);
const NEXT: Record<string, string[]> = {
  submitted: ["working", "canceled", "failed"],
  working: ["working", "input_required", "submitted", "completed", "failed", "canceled"],
  input_required: ["input_required", "working", "submitted", "failed", "canceled"],
};

/** Checks the events of each task against its rules. */
function expectHistories(events: LoggedEvent[]): void {
  const last = new Map<string, LoggedEvent["data"]>();
  for (const { subject_id: id, data } of events) {
    const before = last.get(id);
    if (before !== undefined) {
      expect(TERMINAL.has(before.status)).toBe(false);
      expect(NEXT[before.status]).toContain(data.status);
      expect(data.generation).toBe(before.generation + 1);
      const isClaim = before.status === "submitted" && data.status === "working";
      const isBack = before.status !== "submitted" && data.status === "submitted";
      // A released claim doesn't count as an attempt.
      expect(isBack ? [0, -1] : [Number(isClaim)]).toContain(data.attempt - (before.attempt ?? 0));
    }
    last.set(id, data);
  }
}

describe("a task under concurrent actions", () => {
  it("has one holder at a time and follows its states, with exact totals", async () => {
    const plan = fc.tuple(
      fc.array(worker, { minLength: 4, maxLength: 10 }),
      fc.array(worker, { minLength: 4, maxLength: 10 }),
      fc.array(other, { minLength: 4, maxLength: 10 }),
      fc.array(other, { minLength: 4, maxLength: 10 }),
    );
    await fc.assert(
      fc.asyncProperty(plan, async (plans) => {
        const { workspaceId } = await server.createWorkspace();
        const actors: Ctx[] = [
          await createWorker(server, workspaceId),
          await createWorker(server, workspaceId),
          userCtx(server, workspaceId, "operator"),
          userCtx(server, workspaceId, "operator"),
        ];
        const stage: Stage = { ids: [], actors, leases: new Map(), questions: [], clock: { s: 0 } };
        const maker = server.systemCtx(workspaceId);
        maker.now = new Date(START);
        for (let made = 0; made < TASKS; made++) stage.ids.push((await createTask(maker, { title: "x" })).id);
        await Promise.all(
          actors.map(async (ctx, index) => {
            for (const act of plans[index] ?? []) await perform(ctx, stage, act);
          }),
        );
        const events = await server.database.query<LoggedEvent>(
          `SELECT subject_id, type, data FROM event WHERE workspace_id = $1 AND subject_type = 'task' ORDER BY seq`,
          [workspaceId],
        );
        expectHistories(events);
        const counted = await server.database.query(
          `SELECT COALESCE(status::text, 'all') AS facet, count(*)::int AS total FROM task WHERE workspace_id = $1
           GROUP BY GROUPING SETS ((), (status)) HAVING count(*) > 0 ORDER BY 1`,
          [workspaceId],
        );
        const kept = await server.database.query(
          "SELECT facet, total FROM collection_total WHERE workspace_id = $1 AND collection = 'tasks' AND total <> 0 ORDER BY 1",
          [workspaceId],
        );
        expect(kept).toEqual(counted);
        expect((await checkAuditChain(server.database, workspaceId)).brokenAt).toBeNull();
      }),
      { numRuns: runs(25), endOnFailure: true },
    );
  }, 120_000);
});
