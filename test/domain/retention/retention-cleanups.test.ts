import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listConversations } from "../../../src/domain/conversations/list-conversations.ts";
import { readListVersion } from "../../../src/domain/kernel/list-version.ts";
import { RETENTION_DAYS } from "../../../src/domain/kernel/retention-days.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { RETENTION_RULES } from "../../../src/domain/retention/retention-rules.ts";
import { sweepRetention } from "../../support/sweep.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { readConversationTruths } from "../../support/conversations.ts";
import {
  insertTestAgent,
  createAgentCommand,
  insertTestEvalRun,
  insertTestMission,
} from "../../support/factories.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { insertTestApproval } from "../../support/test-approvals.ts";
import { insertTestExecution } from "../../support/test-executions.ts";
import { insertTestMcpCall } from "../../support/test-mcp-calls.ts";

let quiet: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

beforeEach(async () => {
  ctx = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
});

const KINDS = {
  message: async () => (await sendMessage(ctx, { parts: [{ text: "x" }] })).message.id,
  task: async () => (await createTask(ctx, { title: "x" })).id,
  agent_command: async () => createAgentCommand(ctx, await insertTestAgent(ctx)),
  mission: async () => insertTestMission(ctx),
  eval_run: async () => insertTestEvalRun(ctx),
  mcp_call: async () => insertTestMcpCall(ctx, { agentId: await insertTestAgent(ctx) }),
  execution: async () => insertTestExecution(ctx, { agentId: await insertTestAgent(ctx) }),
  approval: async () => {
    const fields = { agentId: await insertTestAgent(ctx), policies: [] };
    return insertTestApproval(ctx, refund(), { ...fields, status: "pending", approvedUntil: null });
  },
} as const;

type Table = keyof typeof KINDS;

const TABLES = RETENTION_RULES.map(({ table }) => table as Table);

/** Makes rows as if finished, or sent, this long ago. */
async function age(table: Table, ids: string[], interval: string): Promise<void> {
  const { since: column } = RETENTION_RULES.find((rule) => rule.table === table) ?? { since: "" };
  const ended = table === "message" ? "" : `, status = '${table === "approval" ? "denied" : "failed"}'`;
  await quiet.database.query(
    `UPDATE ${table} SET ${column} = now() - $2::interval ${ended} WHERE id = ANY($1::uuid[])`,
    [ids, interval],
  );
}

async function idsIn(table: Table): Promise<string[]> {
  const rows = await quiet.database.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE workspace_id = $1 ORDER BY id`,
    [ctx.workspaceId],
  );
  return rows.map(({ id }) => id);
}

async function set(table: Table, id: string, change: string): Promise<void> {
  await quiet.database.query(`UPDATE ${table} SET ${change} WHERE id = $1`, [id]);
}

describe("retention", () => {
  it("has a rule for every setting except those with a cleanup of their own", () => {
    const others = new Set([
      "eventRetentionDays",
      "auditRetentionDays",
      "budgetRetentionDays",
      "decisionRetentionDays",
      "traceRetentionDays",
      "contentRetentionDays",
      "webhookDeliveryRetentionDays",
    ]);
    const settings = Object.keys(RETENTION_DAYS).filter((name) => !others.has(name));
    expect(new Set(RETENTION_RULES.map(({ setting }) => setting))).toEqual(new Set(settings));
  });

  it.each(RETENTION_RULES.map((rule) => [rule.table as Table, rule] as const))(
    "deletes a %s past its retention period, and no younger one",
    async (table, { setting, collection }) => {
      await updateWorkspace(ctx, { [setting]: 3 });
      const old = await KINDS[table]();
      const young = await KINDS[table]();
      const unfinished = table === "message" ? [] : [await KINDS[table]()];
      await age(table, [old], "3 days");
      await age(table, [young], "2 days 23 hours 59 minutes");
      const before = await readListVersion(ctx, collection as "tasks", null);
      expect(await sweepRetention(ctx.services)).toBe(1);
      expect(await idsIn(table)).toEqual([young, ...unfinished].toSorted());
      const [total] = await quiet.database.query<{ total: number }>(
        "SELECT total FROM collection_total WHERE workspace_id = $1 AND collection = $2 AND facet = 'all'",
        [ctx.workspaceId, collection],
      );
      expect(total?.total).toBe(1 + unfinished.length);
      expect(await readListVersion(ctx, collection as "tasks", null)).not.toBe(before);
      const [event] = await quiet.database.query<{ type: string; id: string }>(
        "SELECT type, subject_id AS id FROM event WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 1",
        [ctx.workspaceId],
      );
      expect(event).toEqual({ type: `${table}.deleted`, id: old });
    },
  );

  it("applies each workspace's own setting", async () => {
    const id = await KINDS.task();
    const other = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
    await updateWorkspace(other, { taskRetentionDays: 1 });
    await age("task", [id], "10 days");
    expect(await sweepRetention(ctx.services)).toBe(0);
    expect(await idsIn("task")).toEqual([id]);
  });

  it("deletes several batches, each row once with two concurrent nodes", async () => {
    await quiet.database.query(
      `INSERT INTO message (workspace_id, id, context_id, role, sender, parts, created_at)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), 'agent', '{"type":"system","id":null,"name":"test"}', '[]',
              now() - interval '91 days' FROM generate_series(1, 1200)`,
      [ctx.workspaceId],
    );
    await quiet.database.query(
      `INSERT INTO collection_total (workspace_id, collection, facet, total) VALUES ($1, 'messages', 'all', 1200)`,
      [ctx.workspaceId],
    );
    const counts = await Promise.all([sweepRetention(ctx.services), sweepRetention(ctx.services)]);
    const left = await sweepRetention(ctx.services);
    expect(counts[0] + counts[1] + left).toBe(1200);
    const [total] = await quiet.database.query<{ total: number }>(
      "SELECT total FROM collection_total WHERE workspace_id = $1 AND collection = 'messages'",
      [ctx.workspaceId],
    );
    expect(total?.total).toBe(0);
  });

  it("keeps conversations with remaining messages only", async () => {
    const contextId = crypto.randomUUID();
    const { message: old } = await sendMessage(ctx, { contextId, kind: "question", parts: [{ text: "x" }] });
    await sendMessage(ctx, { contextId, parts: [{ text: "y" }] });
    const { message: single } = await sendMessage(ctx, { kind: "question", parts: [{ text: "z" }] });
    await age("message", [old.id, single.id], "91 days");
    expect(await sweepRetention(ctx.services)).toBe(2);
    const { kept, true: expected } = await readConversationTruths(quiet, ctx.workspaceId);
    expect(kept).toEqual(expected);
    const { nodes } = await listConversations(ctx, {});
    expect(nodes.map((node) => [node.contextId, node.messageCount, node.waits])).toEqual([
      [contextId, 1, false],
    ]);
  });

  it("keeps rows that unfinished rows refer to", async () => {
    const [task, parent, mission] = [await KINDS.task(), await KINDS.task(), await KINDS.mission()];
    const [message, command] = [await KINDS.message(), await KINDS.agent_command()];
    await set("task", task, `parent_task_id = '${parent}', question_id = '${message}'`);
    await set("message", message, `task_id = '${task}'`);
    await set("mission", mission, `start_command_id = '${command}'`);
    await age("task", [parent], "91 days");
    await age("message", [message], "91 days");
    await age("agent_command", [command], "91 days");
    expect(await sweepRetention(ctx.services)).toBe(0);
    await age("task", [task], "1 day");
    await age("mission", [mission], "1 day");
    expect(await sweepRetention(ctx.services)).toBe(3);
    const [kept] = await quiet.database.query(
      "SELECT parent_task_id AS parent, question_id AS question FROM task WHERE id = $1",
      [task],
    );
    expect(kept).toEqual({ parent: null, question: null });
    expect(await idsIn("mission")).toEqual([mission]);
  });

  it("keeps baselines, and runs that kept runs were compared with", async () => {
    const [baseline, compared, run] = [
      await KINDS.eval_run(),
      await KINDS.eval_run(),
      await KINDS.eval_run(),
    ];
    await age("eval_run", [baseline, compared], "366 days");
    await age("eval_run", [run], "1 day");
    await set("eval_run", baseline, "baseline = true");
    await set("eval_run", run, `baseline_run_id = '${compared}'`);
    expect(await sweepRetention(ctx.services)).toBe(0);
    await age("eval_run", [run], "366 days");
    await set("eval_run", baseline, "baseline = false");
    expect(await sweepRetention(ctx.services)).toBe(3);
    expect(await idsIn("eval_run")).toEqual([]);
  });

  it("keeps executions of which nobody knows how they ended, with their approvals", async () => {
    const agentId = await insertTestAgent(ctx);
    const approvalId = await insertTestApproval(ctx, refund(), { agentId, policies: [] });
    const id = await insertTestExecution(ctx, { agentId, approvalId, useNumber: 1 });
    await age("approval", [approvalId], "366 days");
    await age("execution", [id], "366 days");
    await set("execution", id, "status = 'unknown'");
    expect(await sweepRetention(ctx.services)).toBe(0);
    await set("execution", id, "status = 'completed'");
    expect(await sweepRetention(ctx.services)).toBe(2);
    expect([await idsIn("execution"), await idsIn("approval")]).toEqual([[], []]);
  });

  it.each(
    RETENTION_RULES.flatMap(({ table, references }) =>
      references.map((reference) => ({ ...reference, from: reference.table as Table, to: table as Table })),
    ),
  )("clears $from.$column of a deleted $to, and changes the list's version", async (reference) => {
    const { from, to, column, collection, hasStatus } = reference;
    const named = await KINDS[to]();
    const naming = await KINDS[from]();
    await set(from, naming, `${column} = '${named}'`);
    await age(from, [naming], "1 day");
    await age(to, [named], "91 days");
    const lists = [null, ...(hasStatus ? ["failed"] : [])];
    const versions = () =>
      Promise.all(lists.map((status) => readListVersion(ctx, collection as "tasks", status)));
    const before = await versions();
    expect(await sweepRetention(ctx.services)).toBe(1);
    const [row] = await quiet.database.query<Record<string, unknown>>(
      `SELECT ${column} AS named FROM ${from} WHERE id = $1`,
      [naming],
    );
    expect(row).toEqual({ named: null });
    const after = await versions();
    expect(after.filter((version, index) => version === before[index])).toEqual([]);
  });

  it("covers every reference in the database", async () => {
    const foreign = await quiet.database.query<{ name: string }>(
      `SELECT c.conrelid::regclass || '.' || a.attname AS name FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
       WHERE c.contype = 'f' AND c.confdeltype <> 'c' AND a.attname <> 'workspace_id'
         AND c.confrelid::regclass::text = ANY ($1) ORDER BY 1`,
      [TABLES],
    );
    const cleared = RETENTION_RULES.flatMap(({ references }) =>
      references.map(({ table, column }) => `${table}.${column}`),
    );
    const others = [
      // A conversation is deleted with its last message, or gets another last one.
      "conversation.last_message_id",
      // A run that another was compared with is kept.
      "eval_run.baseline_run_id",
      // An approval is kept with its executions.
      "execution.approval_id",
      // An execution is kept with its call of a tool.
      "mcp_call.id",
      // A robot's current mission is never a finished one.
      "robot.current_mission_id",
    ];
    expect(foreign.map(({ name }) => name)).toEqual([...cleared, ...others].toSorted());
  });
});
