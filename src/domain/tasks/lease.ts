import canonicalize from "canonicalize";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Actor } from "../kernel/actor.ts";
import { DomainError } from "../kernel/errors.ts";
import type { LockedTask } from "./lock-task.ts";
import { type TaskAct, requireTaskState } from "./task-states.ts";

/** A lease's token as callers send it; whether it is anybody's, the task tells. */
export const leaseToken = z.string().min(1, "must not be empty").max(256, "must have at most 256 characters");

/** Makes a lease's token: 256 bits, shown once, kept as its SHA-256. */
export function createLeaseToken(): { secret: string; digest: Uint8Array<ArrayBuffer> } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, digest: leaseDigest(secret) };
}

/** What is kept of a lease's token. */
export function leaseDigest(token: string): Uint8Array<ArrayBuffer> {
  return sha256(token);
}

/** What is kept of the call that ends a lease: the same act with the same body is the same call. */
export function callDigest({ act, body }: HolderCall): Uint8Array<ArrayBuffer> {
  return sha256(canonicalize({ act, body }) ?? "");
}

/** A call of a task's holder. */
export type HolderCall = { act: TaskAct; leaseToken: string; body?: object };

/**
 * Holds that a call comes from who holds the task now, and that the task is as the call wants it.
 *
 * @returns whether this very call has ended the lease before.
 * @throws {DomainError} lease_lost for any other token, and for one that has run out; invalid_state where
 *   the task waits for an answer, or ended under its holder.
 */
export function requireLease({ task, now }: LockedTask, actor: Actor, call: HolderCall): "held" | "replay" {
  if (!isSame(task.leaseTokenDigest, leaseDigest(call.leaseToken))) throw createLeaseLostError(task);
  if (isSame(task.settledDigest, callDigest(call))) return "replay";
  if (task.status === "submitted") throw createLeaseLostError(task);
  requireTaskState(task, call.act);
  const isHolder = actor.type === "agent" && actor.id === task.claimedByAgentId;
  if (!isHolder || isExpired(task, now)) throw createLeaseLostError(task);
  return "held";
}

/** The refusal for a token that is not the task's now. */
export function createLeaseLostError({ attempt, status }: Pick<Task, "attempt" | "status">): DomainError {
  const message = `The lease is not, or no longer, yours: the task is ${status}, at attempt ${attempt}.`;
  return new DomainError("lease_lost", message, { currentStatus: status });
}

/** The clock of a lease stands still while its holder waits for an answer. */
function isExpired({ status, leaseExpiresAt }: Task, now: Date): boolean {
  return status === "working" && (leaseExpiresAt === null || leaseExpiresAt <= now);
}

function isSame(kept: Uint8Array | null, digest: Uint8Array): boolean {
  return kept !== null && kept.length === digest.length && timingSafeEqual(kept, digest);
}

function sha256(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(text).digest());
}
