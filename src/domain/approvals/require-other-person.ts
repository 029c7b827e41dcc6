import { sql } from "../../db/sql.ts";
import { type EntityName, MEMBER } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { type Asked, findIssuers } from "./find-issuers.ts";

/** What was asked, and whose work it was then. */
type AskedThen = Omit<Asked, "subject"> & { subject?: unknown; issuerIds: readonly string[] };

/**
 * Requires that a person decides about somebody else's work: neither what it was as the agent asked, nor what it is now.
 *
 * @throws {DomainError} self_approval for the person who created the task, who asks, or for whom an agent asks.
 */
export async function requireOtherPerson(tx: Transaction, asked: AskedThen, userId: string): Promise<void> {
  // Written by nameSubject().
  const subject = (asked.subject ?? null) as EntityName | null;
  if (subject?.type === MEMBER && subject.id === userId) throw createError("You issued this.");
  const [issuersNow = []] = await findIssuers(tx, [{ ...asked, subject }]);
  if ([...asked.issuerIds, ...issuersNow].includes(userId)) {
    throw createError("You created the task for which the agent asks.");
  }
  const isSubject =
    subject !== null && (await tx.run(IS_NAMED, [tx.ctx.workspaceId, userId, subject.id])).length > 0;
  if (isSubject) throw createError("The agent asks for you.");
}

function createError(why: string): DomainError {
  return new DomainError("self_approval", `${why} Somebody else decides.`);
}

const IS_NAMED = sql`
SELECT FROM "user" WHERE workspace_id = $1::uuid AND id = $2::uuid AND lower($3) IN (id::text, lower(email))`;
