import { sql } from "../../db/sql.ts";
import { type EntityName, MEMBER } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { type Asked, findIssuers } from "./find-issuers.ts";

/** What was asked, and whose work it was then. */
type AskedThen = Omit<Asked, "subject"> & { subject?: unknown; issuerIds: readonly string[] };

/**
 * Requires that a person decides about somebody else's work, for somebody else: neither what it was as the agent asked,
 * nor what it is now. Accounts with the same id at the identity provider are the same person.
 *
 * @throws {DomainError} self_approval for the person whose work it is, who asks, or for whom an agent asks.
 */
export async function requireOtherPerson(tx: Transaction, asked: AskedThen, userId: string): Promise<void> {
  // Written by nameSubject().
  const subject = (asked.subject ?? null) as EntityName | null;
  if (subject?.type === MEMBER && subject.id === userId) throw createError("You issued this.");
  const [issuersNow = []] = await findIssuers(tx, [{ ...asked, subject }]);
  const issuers = [...asked.issuerIds, ...issuersNow];
  const isIssuer = (await tx.run(IS_AMONG, [tx.ctx.workspaceId, userId, issuers])).length > 0;
  if (isIssuer) throw createError("The agent asks for your own work, or for you.");
}

function createError(why: string): DomainError {
  return new DomainError("self_approval", `${why} Somebody else decides.`);
}

const IS_AMONG = sql`
SELECT FROM "user" own WHERE own.workspace_id = $1::uuid AND own.id = $2::uuid AND (own.id = ANY($3::uuid[]) OR EXISTS (
  SELECT FROM "user" other WHERE other.workspace_id = $1::uuid AND other.id = ANY($3::uuid[])
    AND other.external_id = own.external_id))`;
