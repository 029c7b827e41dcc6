import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { META, STATES } from "../protocol.ts";
import { MessageFields, messageJson, toObject } from "./message-shape.ts";

/** What changes of a task while it is worked on. Needs the variable `$messages`: whether the question is read too. */
export const TaskStatusFields = graphql(
  `
    fragment PeerTaskStatusFields on Task {
      id: uuid
      contextId
      generation
      status
      statusMessage
      progress
      error
      cancelRequestedAt
      updatedAt
      question @include(if: $messages) {
        ...PeerMessageFields
      }
    }
  `,
  [MessageFields],
);

export type TaskStatusRow = ResultOf<typeof TaskStatusFields>;

export const TaskFields = graphql(
  `
    fragment PeerTaskFields on Task {
      ...PeerTaskStatusFields
      title
      queue
      metadata
    }
  `,
  [TaskStatusFields],
);

type TaskRow = ResultOf<typeof TaskFields>;

/** Spells a task as the protocol does. */
export function taskJson(
  row: TaskRow,
  { artifacts, history = [] }: { artifacts?: object[] | undefined; history?: object[] } = {},
): object {
  const { [META.messageId]: _first, ...metadata } = toObject(row.metadata);
  return {
    id: row.id,
    contextId: row.contextId,
    status: statusJson(row),
    ...(artifacts !== undefined && { artifacts }),
    ...(history.length > 0 && { history }),
    metadata: { ...metadata, [META.title]: row.title, [META.queue]: row.queue, ...progressJson(row) },
  };
}

/** Spells a change of a task as the protocol does. */
export function statusUpdateJson(row: TaskStatusRow): object {
  const metadata = progressJson(row);
  return {
    taskId: row.id,
    contextId: row.contextId,
    status: statusJson(row),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function progressJson({ progress, cancelRequestedAt }: TaskStatusRow): Record<string, unknown> {
  return {
    ...(progress !== null && { [META.progress]: progress }),
    ...(cancelRequestedAt !== null && { [META.cancelRequested]: true }),
  };
}

function statusJson(row: TaskStatusRow): object {
  const message = statusMessage(row);
  return {
    state: STATES[row.status],
    ...(message !== null && { message }),
    timestamp: row.updatedAt,
  };
}

/** The question that a task waits for, why it failed, or what its worker says meanwhile. */
function statusMessage(row: TaskStatusRow): object | null {
  const { question, status, error, statusMessage: said } = row;
  if (question !== null && question !== undefined) return messageJson(question, "ROLE_AGENT");
  const text = status === "FAILED" ? (getMessage(error) ?? said) : said;
  if (text === null || status === "COMPLETED") return null;
  return {
    messageId: `${row.id}.${row.generation}`,
    contextId: row.contextId,
    taskId: row.id,
    role: "ROLE_AGENT",
    parts: [{ text }],
  };
}

function getMessage(error: unknown): string | null {
  const { message } = toObject(error);
  return typeof message === "string" ? message : null;
}
