import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { requireAgent } from "../agents/require-agent.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { getFixedTimes } from "../kernel/get-fixed-times.ts";
import { requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { handle, jsonObject, labels, parseInput, text, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parts } from "../kernel/part.ts";
import { toOwnTraceId } from "../kernel/server-span.ts";
import { parseTraceparent } from "../kernel/traceparent.ts";

/** What a task is made with. Each field is written to the column of its name. */
const shape = z.object({
  title: text(LIMITS.titleLength),
  queue: handle.default("default"),
  assigneeAgentId: uuid.nullish(),
  input: parts(0).default([]),
  priority: wholeNumber(LIMITS.priority).default(LIMITS.priority.default),
  maxAttempts: wholeNumber(LIMITS.maxAttempts).default(LIMITS.maxAttempts.default),
  runAfter: z.date().nullable().default(null),
  deadlineAt: z.date().nullable().default(null),
  contextId: uuid.nullish(),
  parentTaskId: uuid.nullish(),
  labels: labels.default({}),
  metadata: jsonObject(LIMITS.metadataBytes).default({}),
});

/**
 * Creates a task with status `submitted` in its queue.
 *
 * @returns the task; for a repeated Idempotency-Key, the task that it created.
 * @throws {DomainError} insufficient_scope without `tasks:write`; validation_failed; idempotency errors.
 */
export async function createTask(ctx: Ctx, input: z.input<typeof shape>): Promise<Task> {
  requireScope(ctx, "tasks:write");
  const { assigneeAgentId, parentTaskId, contextId, ...fields } = parseInput(shape, input);
  const id = uuidv7();
  const caller = parseTraceparent(ctx.traceparent);
  return ctx.transaction(async (tx) => {
    const made = await claimIdempotencyKey(tx, id);
    if (made !== null) return findTask(tx, made);
    await requireAgent(tx, { field: "assigneeAgentId", id: assigneeAgentId });
    const parent = await requireParent(tx, parentTaskId);
    const task = await tx.db.task.create({
      data: {
        ...fields,
        workspaceId: ctx.workspaceId,
        id,
        // JSON that was parsed above.
        input: fields.input as object[],
        metadata: fields.metadata as object,
        contextId: contextId ?? parent?.contextId ?? uuidv7(),
        assigneeAgentId: assigneeAgentId ?? null,
        parentTaskId: parent?.id ?? null,
        traceId: caller?.traceId ?? toOwnTraceId(id),
        parentSpanId: caller?.spanId ?? null,
        createdBy: createActorRecord(ctx.actor),
        ...getFixedTimes(ctx, "createdAt", "updatedAt"),
      },
    });
    append(tx, {
      events: [
        {
          type: "task.created",
          subjectType: "task",
          subjectId: id,
          agentId: task.assigneeAgentId,
          data: { generation: 1, status: task.status, queue: task.queue, priority: task.priority },
        },
      ],
      totals: [{ collection: "tasks", to: task.status }],
      audit: ctx.actor.type === "agent" ? [] : [{ action: "task.created", targetType: "task", targetId: id }],
    });
    return task;
  });
}

async function findTask({ db, ctx }: Transaction, id: string): Promise<Task> {
  return db.task.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

type Parent = { id: string; contextId: string };

async function requireParent(
  { run, ctx }: Transaction,
  id: string | null | undefined,
): Promise<Parent | null> {
  if (typeof id !== "string") return null;
  const line = await run(LINE, [ctx.workspaceId, id]);
  const [parent] = line;
  if (parent === undefined) throw createFieldError("parentTaskId", "is not a task of this workspace");
  if (line.length < LIMITS.taskLevels) return parent;
  throw createFieldError(
    "parentTaskId",
    `has ${LIMITS.taskLevels - 1} tasks above it: no more levels are possible`,
  );
}

/** A task, and those above it as far as that matters. */
const LINE = sql<Parent>`
WITH RECURSIVE line AS (
  SELECT id, context_id, parent_task_id, 1 AS level FROM task WHERE workspace_id = $1::uuid AND id = $2::uuid
  UNION ALL
  SELECT t.id, t.context_id, t.parent_task_id, level + 1
  FROM line JOIN task t ON t.workspace_id = $1::uuid AND t.id = line.parent_task_id WHERE level < ${LIMITS.taskLevels}
)
SELECT id, context_id AS "contextId" FROM line ORDER BY level`;
