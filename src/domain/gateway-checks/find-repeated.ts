import type { Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { findApprovedRequest, getAskingPolicies } from "../approvals/find-approved-request.ts";
import { createEndedProblem, findOwnApproval, requireOwnKey } from "../executions/find-use-problem.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { hashRequest } from "./hash-request.ts";
import type { AccessRequest } from "./parse-request.ts";

/** A request, and the caller's own name for it. */
type Repeated = { asked: AccessRequest; callerId: string; sessionKey: string | null };

/**
 * Finds the execution that the caller opened with the same session key, and lets no other transaction open one
 * until this one ends. Null if there is none.
 *
 * @throws {DomainError} forbidden for another API key than that which opened it; already_executed if it has ended; arguments_changed if it was another request.
 */
export async function findRepeated(
  tx: Transaction,
  { asked, callerId: agentId, sessionKey }: Repeated,
): Promise<Execution | null> {
  if (sessionKey === null) return null;
  const { run, db, ctx } = tx;
  const { workspaceId } = ctx;
  await run(LOCK_KEY, [`${workspaceId} ${agentId} ${sessionKey}`]);
  const where = { workspaceId_agentId_sessionKey: { workspaceId, agentId, sessionKey } };
  const execution = await db.execution.findUnique({ where });
  if (execution === null) return null;
  const { status, approvalId, requestHash } = execution;
  // Only approvals are used with a session key.
  const approval = await findOwnApproval(tx, { id: approvalId ?? "", agentId });
  requireOwnKey(ctx, approval);
  const request = findApprovedRequest(approval, asked, { acceptEdits: true });
  const binding = { agentId, askedBy: getAskingPolicies(approval), scope: "exact" as const };
  if (request === null || hashRequest(request, binding) !== Buffer.from(requestHash).toString("hex")) {
    throw new DomainError("arguments_changed", "Something else was executed under this session key.");
  }
  if (status === "started") return execution;
  throw createEndedProblem(execution).error;
}

const LOCK_KEY = sql`SELECT pg_advisory_xact_lock(hashtextextended('session key ' || $1, 0))`;
