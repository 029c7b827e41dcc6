import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { acknowledgeTaskCancel } from "../../../src/domain/tasks/acknowledge-task-cancel.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { failTask } from "../../../src/domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { rejectTask } from "../../../src/domain/tasks/reject-task.ts";
import { releaseTask } from "../../../src/domain/tasks/release-task.ts";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
import { readConversationTruths } from "../../support/conversations.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startOn, startTestServer } from "../../support/server.ts";
import {
  type HolderAct,
  type Model,
  type ModelTask,
  modelTaskAnswer,
  modelAsk,
  modelCancel,
  modelClaim,
  modelHeartbeat,
  modelSettle,
  modelTaskSweep,
  newModelTask,
} from "../../support/task-model.ts";
import { createWorker } from "../../support/workers.ts";
import { runs } from "../../support/property-runs.ts";

const START = Date.parse("2100-01-01T00:00:00.000Z");

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** A current or former lease. */
type Held = { worker: number; place: number; lease: number; token: string };

/** The workspace to compare with the model. */
type Real = {
  workspaceId: string;
  workers: (Ctx & { agentId: string })[];
  operator: Ctx;
  ids: string[];
  leases: Held[];
  questions: Map<number, string>;
};

async function openReal(): Promise<Real> {
  const { workspaceId } = await server.createWorkspace();
  const workers = [await createWorker(server, workspaceId), await createWorker(server, workspaceId)];
  const operator = userCtx(server, workspaceId, "operator");
  return { workspaceId, workers, operator, ids: [], leases: [], questions: new Map() };
}

/** Restarts the server on its database, so that only stored state is left. */
async function restart(real: Real): Promise<void> {
  const { database } = server;
  await server.stop();
  server = await startOn(database);
  const { workspaceId } = real;
  real.operator = userCtx(server, workspaceId, "operator");
  real.workers = real.workers.map(({ agentId }) =>
    Object.assign(agentCtx(server, { id: agentId, workspaceId }), { agentId }),
  );
}

function setTime({ workers, operator }: Real, seconds: number): void {
  for (const ctx of [...workers, operator]) ctx.now = new Date(START + seconds * 1000);
}

const SETTLE: Record<HolderAct, (ctx: Ctx, held: { id: string; leaseToken: string }) => Promise<unknown>> = {
  complete: completeTask,
  fail: (ctx, held) => failTask(ctx, { ...held, error: { message: "x" } }),
  failForGood: (ctx, held) => failTask(ctx, { ...held, error: { message: "x", retryable: false } }),
  release: releaseTask,
  reject: rejectTask,
  acknowledgeCancel: acknowledgeTaskCancel,
};

/** Compares rows, totals and holders with the model. */
async function expectAgreement(model: Model, { workers, ids, operator }: Real): Promise<void> {
  const rows = await server.database.query<{
    id: string;
    status: string;
    attempt: number;
    holder: string | null;
  }>("SELECT id, status, attempt, claimed_by_agent_id AS holder FROM task WHERE workspace_id = $1", [
    operator.workspaceId,
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const expected = model.tasks.map(({ status, attempt, holder }, place) => ({
    id: ids[place],
    status,
    attempt,
    holder: holder === null ? null : workers[holder]?.agentId,
  }));
  expect(ids.map((id) => byId.get(id))).toEqual(expected);
  const [totals] = await server.database.query<{ kept: object; counted: object }>(
    `SELECT (SELECT jsonb_object_agg(facet, total) FROM collection_total
             WHERE workspace_id = $1 AND collection = 'tasks' AND total <> 0) AS kept,
       (SELECT jsonb_object_agg(facet, total) FROM (
          SELECT COALESCE(status::text, 'all') AS facet, count(*) AS total FROM task WHERE workspace_id = $1
          GROUP BY GROUPING SETS ((), (status)) HAVING count(*) > 0) counts) AS counted`,
    [operator.workspaceId],
  );
  expect(totals?.kept).toEqual(totals?.counted);
  const conversations = await readConversationTruths(server, operator.workspaceId);
  expect(conversations.kept).toEqual(conversations.true);
}

type Step = fc.AsyncCommand<Model, Real>;

/** A step applied to the model and the workspace, which must agree on the result. */
function step(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: Step["check"] = () => true,
): Step {
  return {
    check,
    run: async (model, real) => {
      setTime(real, model.now);
      await run(model, real);
      await expectAgreement(model, real);
    },
    toString: () => name,
  };
}

/** A step by a current or former holder of a lease. */
function ofLease(
  name: string,
  pick: number,
  run: (model: Model, on: { real: Real; held: Held; task: ModelTask; ctx: Ctx; id: string }) => Promise<void>,
): Step {
  const act = async (model: Model, real: Real) => {
    const held = real.leases[pick % real.leases.length];
    const task = model.tasks[held?.place ?? -1];
    const ctx = real.workers[held?.worker ?? -1];
    if (held === undefined || task === undefined || ctx === undefined) throw new Error("no such lease");
    await run(model, { real, held, task, ctx, id: real.ids[held.place] ?? "" });
  };
  return step(`${name} by lease ${pick}`, act, (model) => model.leases > 0);
}

function ofTask(
  name: string,
  pick: number,
  run: (task: ModelTask, on: { model: Model; real: Real; id: string; place: number }) => Promise<void>,
): Step {
  const act = async (model: Model, real: Real) => {
    const place = pick % model.tasks.length;
    const task = model.tasks[place];
    if (task === undefined) throw new Error("no such task");
    await run(task, { model, real, id: real.ids[place] ?? "", place });
  };
  return step(`${name} task ${pick}`, act, (model) => model.tasks.length > 0);
}

const parts = [{ text: "x" }];
const pick = fc.nat(7);
const steps: fc.Arbitrary<Step>[] = [
  fc.integer({ min: 1, max: 3 }).map((maxAttempts) =>
    step(`create with ${maxAttempts} attempts`, async (model, real) => {
      const { id } = await createTask(real.operator, { title: "A task", maxAttempts });
      model.tasks.push(newModelTask(model.now, maxAttempts));
      real.ids.push(id);
    }),
  ),
  ...[0, 1].map((worker) =>
    fc.constant(
      step(`claim by ${worker}`, async (model, real) => {
        const ctx = real.workers[worker];
        if (ctx === undefined) throw new Error("no such worker");
        const lease = model.leases;
        const claim = await claimTask(ctx, {});
        const place = modelClaim(model, worker);
        expect(claim?.task.id ?? null).toBe(place === null ? null : real.ids[place]);
        if (place !== null && claim !== null)
          real.leases.push({ worker, place, lease, token: claim.lease.token });
      }),
    ),
  ),
  fc.tuple(fc.constantFrom(...(Object.keys(SETTLE) as HolderAct[])), pick).map(([act, from]) =>
    ofLease(act, from, async (model, { held, task, ctx, id }) => {
      const code = await getErrorCode(SETTLE[act](ctx, { id, leaseToken: held.token }));
      expect(code).toBe(modelSettle(model, { task, lease: held.lease }, act));
    }),
  ),
  pick.map((from) =>
    ofLease("heartbeat", from, async (model, { held, task, ctx, id }) => {
      const code = await getErrorCode(heartbeatTask(ctx, { id, leaseToken: held.token }));
      expect(code).toBe(modelHeartbeat(model, { task, lease: held.lease }));
    }),
  ),
  pick.map((from) =>
    ofLease("ask", from, async (model, { real, held, task, ctx, id }) => {
      const messageId = crypto.randomUUID();
      const asked = { taskId: id, leaseToken: held.token, inputTimeoutSeconds: 120 };
      const sent = sendMessage(ctx, { id: messageId, kind: "question", parts, ...asked });
      const code = await getErrorCode(sent);
      expect(code).toBe(modelAsk(model, { task, lease: held.lease }));
      if (code === "") real.questions.set(held.place, messageId);
    }),
  ),
  pick.map((at) =>
    ofTask("answer the question of", at, async (task, { model, real, place }) => {
      const replyToId = real.questions.get(place);
      if (replyToId === undefined) return;
      const code = await getErrorCode(sendMessage(real.operator, { kind: "answer", replyToId, parts }));
      expect(code).toBe(modelTaskAnswer(model, task));
    }),
  ),
  pick.map((at) =>
    ofTask("cancel", at, async (task, { model, real, id }) => {
      expect(await getErrorCode(cancelTask(real.operator, { id }))).toBe(modelCancel(model, task));
    }),
  ),
  fc.constantFrom(1, 4, 30, 30, 59, 60, 120).map((seconds) =>
    step(`${seconds} s pass`, async (model) => {
      model.now += seconds;
    }),
  ),
  fc.constant(
    step(
      "restart",
      async (model, real) => {
        model.restarts++;
        await restart(real);
      },
      // It is slow, and one is as good as many.
      (model) => model.restarts === 0 && model.leases > 0,
    ),
  ),
  fc.constant(
    step("sweep", async (model, real) => {
      await sweepTasks(real.operator.services, real.operator.now);
      modelTaskSweep(model);
    }),
  ),
];

describe("a task", () => {
  it("behaves like the model under random actions of two workers, an operator, restarts and time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: "max" }), async (commands) => {
        const real = await openReal();
        await fc.asyncModelRun(
          () => ({ model: { now: 0, tasks: [], leases: 0, restarts: 0 }, real }),
          commands,
        );
      }),
      { numRuns: runs(25), endOnFailure: true },
    );
  }, 120_000);
});
