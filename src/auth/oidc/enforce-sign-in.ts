import type { SignInProvider } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import type { EndedSessions } from "../sessions/end-sessions.ts";
import { endMemberSessions } from "./end-member-sessions.ts";
import { IS_PASSWORD_OWNER } from "./password-use.ts";

/** Whether members log in by the provider alone, and the owner whose password works nevertheless. */
export type Enforcement = Pick<SignInProvider, "enforced" | "breakGlassUserId">;

/** What was asked for. Undefined keeps what was before. */
export type AskedEnforcement = { enforced?: boolean | undefined; breakGlassOwnerId?: string | undefined };

/**
 * Decides who breaks the glass: the owner who is named, otherwise the one before, otherwise the caller.
 *
 * @throws {DomainError} validation_failed at breakGlassOwnerId unless it is an owner who can log in with a password.
 */
export async function chooseEnforcement(
  tx: Transaction,
  { enforced: asked, breakGlassOwnerId }: AskedEnforcement,
  before: Enforcement | null,
): Promise<Enforcement> {
  const enforced = asked ?? before?.enforced ?? false;
  const kept = before?.breakGlassUserId ?? null;
  if (!enforced && breakGlassOwnerId === undefined) return { enforced, breakGlassUserId: kept };
  const { actor } = tx.ctx;
  const own = actor.type === "user" ? actor.id : null;
  for (const id of breakGlassOwnerId === undefined ? [kept, own] : [breakGlassOwnerId]) {
    const [owner] = await tx.run(FIND_OWNER, [tx.ctx.workspaceId, id]);
    if (owner !== undefined) return { enforced, breakGlassUserId: owner.id };
  }
  throw createFieldError(
    "breakGlassOwnerId",
    "must be an active owner with a confirmed address and a password: it works while your provider is down",
  );
}

const FIND_OWNER = sql<{ id: string }>`
SELECT b.id FROM "user" b WHERE b.workspace_id = $1::uuid AND b.id = $2::uuid AND ${IS_PASSWORD_OWNER}`;

/**
 * Ends all sessions that began with a password, except those of the break-glass owner and the caller's own.
 *
 * @throws {DomainError} validation_failed at enforced if owners can't sign in by the provider.
 */
export async function enforce(
  tx: Transaction,
  { breakGlassUserId, servesOwners }: SignInProvider,
): Promise<EndedSessions> {
  if (!servesOwners || breakGlassUserId === null) {
    throw createFieldError(
      "enforced",
      "requires that an owner saves the provider: owners can't sign in by it",
    );
  }
  const { actor } = tx.ctx;
  const session = actor.type === "user" ? actor.session : null;
  const except = { exceptUserId: breakGlassUserId, exceptFamilyId: session?.familyId ?? null };
  return endMemberSessions(tx, except, "sign_in_enforced");
}
