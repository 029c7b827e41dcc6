import { sql } from "../../db/sql.ts";
import type { Message } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { type DomainError, createFieldError } from "../kernel/errors.ts";
import { v7 as uuidv7 } from "uuid";
import type { MessageInput } from "./message-input.ts";

/** The context of a message, and the question that it answers. An answer has the context of its question. */
export type MessagePlacement = {
  contextId: string;
  taskId: string | null;
  missionId: string | null;
  question: Message | null;
};

/**
 * Finds a message's context from the task, mission or message that it refers to, and checks that they
 * agree.
 *
 * @throws {DomainError} validation_failed for a reference to another workspace or context.
 */
export async function placeMessage(tx: Transaction, asked: MessageInput): Promise<MessagePlacement> {
  const { db, ctx } = tx;
  const { workspaceId } = ctx;
  const { taskId, missionId, replyToId, recipientAgentId, referenceTaskIds } = asked;
  const [mission, task, replyTo, recipient, references] = [
    missionId ? await lockMission(tx, missionId) : undefined,
    taskId
      ? await db.task.findUnique({
          where: { workspaceId_id: { workspaceId, id: taskId } },
          select: { contextId: true },
        })
      : undefined,
    replyToId
      ? await db.message.findUnique({ where: { workspaceId_id: { workspaceId, id: replyToId } } })
      : undefined,
    recipientAgentId
      ? await db.agent.findUnique({
          where: { workspaceId_id: { workspaceId, id: recipientAgentId } },
          select: { id: true },
        })
      : undefined,
    referenceTaskIds.length > 0 ? await db.task.count({ where: { id: { in: referenceTaskIds } } }) : 0,
  ];
  if (task === null) throw createReferenceError("taskId", "task");
  if (mission === null) throw createReferenceError("missionId", "mission");
  if (replyTo === null) throw createReferenceError("replyToId", "message");
  if (recipient === null) throw createReferenceError("recipientAgentId", "agent");
  if (references !== new Set(referenceTaskIds).size) throw createReferenceError("referenceTaskIds", "task");
  if (asked.kind === "answer" && replyTo?.kind !== "question") {
    throw createFieldError("replyToId", "must be the id of a question");
  }
  const question = asked.kind === "answer" ? (replyTo ?? null) : null;
  return {
    contextId: getSingleContext([asked.contextId, task?.contextId, mission?.contextId, replyTo?.contextId]),
    taskId: taskId ?? question?.taskId ?? null,
    missionId: missionId ?? (await findMissionId(tx, question)),
    question,
  };
}

/** The question's mission, unless it was deleted. */
async function findMissionId(tx: Transaction, question: Message | null): Promise<string | null> {
  const id = question?.missionId ?? null;
  return id === null || (await lockMission(tx, id)) === null ? null : id;
}

const LOCK_MISSION = sql<{ contextId: string | null }>`
SELECT context_id AS "contextId" FROM mission WHERE workspace_id = $1::uuid AND id = $2::uuid FOR KEY SHARE`;

/** Locks a mission so that retention can't delete it before the message exists. Null if it does not exist. */
async function lockMission(
  { run, ctx }: Transaction,
  id: string,
): Promise<{ contextId: string | null } | null> {
  const [mission] = await run(LOCK_MISSION, [ctx.workspaceId, id]);
  return mission ?? null;
}

function getSingleContext(contexts: (string | null | undefined)[]): string {
  const named = new Set(contexts.filter((id) => typeof id === "string"));
  if (named.size > 1)
    throw createFieldError(
      "contextId",
      "must be the context of the task, mission and message that are referred to",
    );
  const [contextId] = named;
  return contextId ?? uuidv7();
}

function createReferenceError(field: string, what: string): DomainError {
  return createFieldError(field, `is not a ${what} of this workspace`);
}
