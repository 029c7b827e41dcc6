import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { Result } from "./method.ts";
import { EXTENSIONS } from "./protocol.ts";
import type { Era } from "./read-era.ts";

/** A call of a tool whose answer is asked for later. The protocol's extension calls it a task. */
export type DeferredCall = {
  id: string;
  status: "working" | "completed" | "cancelled";
  /** What it waits for, for the client's user. */
  message: string;
  createdAt: string;
  updatedAt: string;
  /** What the tool answers at the moment. */
  result: Result;
};

/** How often clients should ask. */
const POLL_MS = 5000;

/** Whether a client can ask for answers later. */
export function takesDeferredCalls(era: Era): boolean {
  if (era.name === "legacy") return false;
  const { extensions } = era.capabilities;
  return isObject(extensions) && isObject(extensions[EXTENSIONS.tasks]);
}

/**
 * Spells a deferred call as the protocol does.
 *
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
export function toTask({ id, status, message, createdAt, updatedAt, result }: DeferredCall): Result {
  return {
    taskId: id,
    status,
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
    ...(status === "working" && { statusMessage: message }),
    ...(status === "completed" && { result: { resultType: "complete", ...result } }),
  };
}
