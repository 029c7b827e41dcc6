import type { ResultOf } from "gql.tada";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createActorRecord } from "../../../src/domain/kernel/actor.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import type { Part } from "../../../src/domain/kernel/part.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { META } from "../protocol.ts";
import { partJson } from "./part-shape.ts";

export const MessageFields = graphql(`
  fragment PeerMessageFields on Message {
    id: uuid
    contextId
    taskId: taskUuid
    kind
    sender {
      uuid
    }
    parts
    referenceTaskIds: referenceTaskUuids
    metadata
  }
`);

export type MessageRow = ResultOf<typeof MessageFields>;

type Role = "ROLE_USER" | "ROLE_AGENT";

/** Spells a message as the protocol does, with the id that its sender gave it. */
export function messageJson(row: MessageRow, role: Role): object {
  const { [META.messageId]: messageId = row.id, ...metadata } = toObject(row.metadata);
  return {
    messageId,
    contextId: row.contextId,
    ...(row.taskId !== null && { taskId: row.taskId }),
    role,
    // sendMessage() has checked what it stored.
    parts: (row.parts as Part[]).map(partJson),
    ...(row.referenceTaskIds.length > 0 && { referenceTaskIds: row.referenceTaskIds }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Metadata is stored as an object. */
export function toObject(metadata: unknown): Record<string, unknown> {
  return isObject(metadata) ? metadata : {};
}

type Conversation = {
  task: {
    id: string;
    contextId: string;
    title: string;
    input: unknown;
    metadata: unknown;
    createdBy: { uuid: string | null };
  };
  /** Newest first. */
  messages: readonly MessageRow[];
  limit: number;
};

/** Of all messages of a task. They are sent to readers who may be slow. */
const MOST_BYTES = 262_144;

/**
 * Builds the history of a task, oldest first: the message that it was made with, and those about it. Older ones are left
 * out beyond the limit, and beyond 256 KiB.
 */
export function createHistory(ctx: Ctx, { task, messages, limit }: Conversation): object[] {
  const clients = [task.createdBy.uuid, createActorRecord(ctx.actor).id];
  const history: object[] = [];
  let bytes = 0;
  for (const message of [...messages, null].slice(0, limit)) {
    const json = message === null ? firstMessage(task) : messageJson(message, getRole(message, clients));
    bytes += Buffer.byteLength(JSON.stringify(json));
    if (bytes > MOST_BYTES && history.length > 0) break;
    history.push(json);
  }
  return history.toReversed();
}

/** Whoever made the task is on the client's side, as the caller is. */
function getRole({ kind, sender }: MessageRow, clients: readonly (string | null)[]): Role {
  return kind !== "QUESTION" && clients.includes(sender.uuid) ? "ROLE_USER" : "ROLE_AGENT";
}

function firstMessage({ id, contextId, title, input, metadata }: Conversation["task"]): object {
  // createTask() has checked what it stored.
  const parts = input as Part[];
  return {
    messageId: toObject(metadata)[META.messageId] ?? id,
    contextId,
    taskId: id,
    role: "ROLE_USER",
    parts: parts.length === 0 ? [{ text: title }] : parts.map(partJson),
  };
}
