import type { Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { findApprovedRequest, getAskingPolicies } from "../approvals/find-approved-request.ts";
import {
  type Problem,
  createEndedProblem,
  createProblem,
  findKeyProblem,
  findOwnApproval,
} from "../executions/find-use-problem.ts";
import type { Transaction } from "../kernel/context.ts";
import { hashRequest } from "./hash-request.ts";
import type { AccessRequest } from "./parse-request.ts";

/** A request, and the caller's own name for it. */
type Asked = { asked: AccessRequest; callerId: string; sessionKey: string | null };

/** The execution of an earlier request with the same session key, and why this one doesn't get it. */
export type Repeated = { execution: Execution; problem: Problem | null };

/**
 * Finds the execution that the caller opened with the same session key, and lets no other transaction open one
 * until this one ends. Null if there is none.
 */
export async function findRepeated(
  tx: Transaction,
  { asked, callerId: agentId, sessionKey }: Asked,
): Promise<Repeated | null> {
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
  const request = findApprovedRequest(approval, asked, { acceptEdits: true });
  const binding = { agentId, askedBy: getAskingPolicies(approval), scope: "exact" as const };
  const isSame =
    request !== null && hashRequest(request, binding) === Buffer.from(requestHash).toString("hex");
  const problem =
    findKeyProblem(ctx, approval) ??
    (isSame ? null : createOtherProblem()) ??
    (status === "started" ? null : createEndedProblem(execution));
  return { execution, problem };
}

function createOtherProblem(): Problem {
  const message = "Something else was executed under this session key.";
  return createProblem("out_of_scope", "arguments_changed", message);
}

const LOCK_KEY = sql`SELECT pg_advisory_xact_lock(hashtextextended('session key ' || $1, 0))`;
