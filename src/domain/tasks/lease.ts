import canonicalize from "canonicalize";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Actor } from "../kernel/actor.ts";
import { DomainError } from "../kernel/errors.ts";
import type { LockedTask } from "./lock-task.ts";
import { type TaskAct, requireTaskState } from "./task-states.ts";

/** A lease token from a caller. Whether it is valid is checked against the task. */
export const leaseToken = z.string().min(1, "must not be empty").max(256, "must have at most 256 characters");

/** Creates a lease token of 256 bits. Only its SHA-256 is stored. */
export function createLeaseToken(): { secret: string; digest: Uint8Array<ArrayBuffer> } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, digest: leaseDigest(secret) };
}

/** Returns the digest that is stored of a lease token. */
export function leaseDigest(token: string): Uint8Array<ArrayBuffer> {
  return sha256(token);
}

/**
 * Returns the digest that is stored of a call that ends a lease. The same action with the same body is the
 * same call.
 */
export function callDigest({ act, body }: HolderCall): Uint8Array<ArrayBuffer> {
  return sha256(canonicalize({ act, body }) ?? "");
}

/** A call of a task's holder. */
export type HolderCall = { act: TaskAct; leaseToken: string; body?: object };

/**
 * Checks that a call has the task's current lease, and that the task's status allows it.
 *
 * @returns whether the same call has already ended the lease.
 * @throws {DomainError} lease_lost for any other token or an expired lease; invalid_state if the task waits
 *   for an answer or has finished.
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

/** The error for a token that is not the task's current one. */
export function createLeaseLostError({ attempt, status }: Pick<Task, "attempt" | "status">): DomainError {
  const message = `You don't hold this task, or not any more: it is ${status}, at attempt ${attempt}.`;
  return new DomainError("lease_lost", message, { currentStatus: status });
}

/** A lease does not expire while its holder waits for people. */
function isExpired({ status, leaseExpiresAt }: Task, now: Date): boolean {
  return status === "working" && (leaseExpiresAt === null || leaseExpiresAt <= now);
}

function isSame(kept: Uint8Array | null, digest: Uint8Array): boolean {
  return kept !== null && kept.length === digest.length && timingSafeEqual(kept, digest);
}

function sha256(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(text).digest());
}
