import type { Message } from "../../db/generated/client.ts";
import type { Transaction } from "../context.ts";
import { type DomainError, invalid } from "../errors.ts";
import { v7 as uuidv7 } from "uuid";
import type { MessageInput } from "./message-input.ts";

/** Where a message belongs, and the question that it answers. An answer belongs where its question does. */
export type Place = {
  contextId: string;
  taskId: string | null;
  missionId: string | null;
  question: Message | null;
};

/**
 * Finds the context of a message from the task, mission or message that it names, and holds that all agree.
 *
 * @throws {DomainError} validation_failed for what is not of this workspace or of another context.
 */
export async function placeMessage(tx: Transaction, asked: MessageInput): Promise<Place> {
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
  if (task === null) throw unknown("taskId", "task");
  if (mission === null) throw unknown("missionId", "mission");
  if (replyTo === null) throw unknown("replyToId", "message");
  if (recipient === null) throw unknown("recipientAgentId", "agent");
  if (references !== new Set(referenceTaskIds).size) throw unknown("referenceTaskIds", "task");
  if (asked.kind === "answer" && replyTo?.kind !== "question") {
    throw invalid("replyToId", "must name the question that is answered");
  }
  const question = asked.kind === "answer" ? (replyTo ?? null) : null;
  return {
    contextId: oneContext([asked.contextId, task?.contextId, mission?.contextId, replyTo?.contextId]),
    taskId: taskId ?? question?.taskId ?? null,
    missionId: missionId ?? (await missionOf(tx, question)),
    question,
  };
}

/** The mission that a question is about, unless that is deleted by now. */
async function missionOf(tx: Transaction, question: Message | null): Promise<string | null> {
  const id = question?.missionId ?? null;
  return id === null || (await lockMission(tx, id)) === null ? null : id;
}

const LOCK_MISSION = `
SELECT context_id AS "contextId" FROM mission WHERE workspace_id = $1::uuid AND id = $2::uuid FOR KEY SHARE`;

/** Missions are deleted when they are old: not this one, until the message is there. Null for none. */
async function lockMission(
  { db, ctx }: Transaction,
  id: string,
): Promise<{ contextId: string | null } | null> {
  const [mission] = await db.$queryRawUnsafe<{ contextId: string | null }[]>(
    LOCK_MISSION,
    ctx.workspaceId,
    id,
  );
  return mission ?? null;
}

function oneContext(contexts: (string | null | undefined)[]): string {
  const named = new Set(contexts.filter((id) => typeof id === "string"));
  if (named.size > 1) throw invalid("contextId", "is not the context of what the message names");
  const [contextId] = named;
  return contextId ?? uuidv7();
}

function unknown(field: string, what: string): DomainError {
  return invalid(field, `is not a ${what} of this workspace`);
}
