import { sql } from "../../db/sql.ts";
import type { Approval } from "../../db/generated/client.ts";
import type { EntityName } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { findIssuers } from "./find-issuers.ts";
import { isSamePersonSql } from "./same-person-sql.ts";

/**
 * Finds who doesn't decide about an approval: the people whose work it was as the agent asked last, or is now, and
 * those for whom it is asked.
 *
 * @throws {DomainError} as {@link findIssuers}.
 */
export async function findIssuersOfApproval(
  tx: Transaction,
  { agentId, taskId, subject, issuerIds }: Pick<Approval, "agentId" | "taskId" | "subject" | "issuerIds">,
): Promise<string[]> {
  // Written by nameSubject().
  const now = await findIssuers(tx, { agentId, taskId, subject: subject as EntityName | null });
  return [...issuerIds, ...now];
}

/**
 * Requires that a person is none of those who issued something. Accounts with the same id at the identity provider are
 * the same person.
 *
 * @throws {DomainError} self_approval.
 */
export async function requireOtherPerson(
  { run, ctx }: Transaction,
  issuerIds: readonly string[],
  userId: string,
): Promise<void> {
  const isIssuer = (await run(IS_AMONG, [ctx.workspaceId, userId, issuerIds])).length > 0;
  if (!isIssuer) return;
  throw new DomainError("self_approval", "This is your own work, or for you. Somebody else decides.");
}

const IS_AMONG = sql`
SELECT FROM "user" u WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND ${isSamePersonSql("u", "$3")}`;
