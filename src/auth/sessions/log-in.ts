import { sql } from "../../db/sql.ts";
import type { Ctx, NewSession, Transaction } from "../../domain/kernel/context.ts";
import { email } from "../../domain/kernel/input.ts";
import { addressKey } from "../../domain/kernel/throttle.ts";
import type { Role } from "../../domain/kernel/scopes.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { createSessionlessCtx } from "../create-sessionless-ctx.ts";
import { MAY_USE_PASSWORD } from "../oidc/password-use.ts";
import { isPasswordPossible } from "../password-rules.ts";
import { beginSession } from "./begin-session.ts";
import { catchChange } from "./catch-change.ts";
import { countAttempt, forgetFailures, uncountAttempt } from "./log-in-attempt.ts";
import { logOut } from "./log-out.ts";
import { insertPendingLogIn } from "./pending-log-in.ts";
import type { ClientInfo } from "./client-info.ts";
import type { SessionServices } from "./session-services.ts";

/** The fields of the log-in form. */
export type LogInInput = {
  email: string;
  password: string;
  remember: boolean;
  /** The workspace, if the form asked for one. */
  workspaceId: string | null;
  /** The browser's previous session, which the new one replaces. */
  replaces: Ctx | null;
  /** The path of this site to go to after the second factor. Default: `/`. */
  returnTo?: string;
};

/**
 * Failures don't state a reason. A person whose password matches several accounts must choose one. One with a second
 * factor must use it next: `secret` is for the browser's cookie.
 */
export type LogInOutcome =
  | { outcome: "in"; session: NewSession }
  | { outcome: "verify"; secret: string }
  | { outcome: "refused" }
  | { outcome: "choose"; workspaces: { id: string; name: string }[] };

type Account = {
  workspaceId: string;
  workspaceName: string;
  id: string;
  name: string;
  email: string;
  role: Role;
  hashedPassword: string;
  authEpoch: number;
};

/** How many accounts of one address are tried. */
const ACCOUNTS = 3;
/** A hash of an unknown password, which takes as long to verify as a real one. */
const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$cMXzjcMFULvyVGZzbEwPRw$QFexP8AORSdmKRMQCEjjfBgfFpnUpIix4DIJQNjyks4";

/**
 * Logs a person in. Verifies the same number of passwords for every address, so that neither the answer nor
 * its time shows whether an account exists. From one IP address, log-ins fail after ten failures within 15 minutes
 * for an email address, and after 30 in all; from everywhere after 100 for an email address. A password reset is
 * still possible and resets the count. So does a log-in whose password matches all accounts of the address.
 * What can't be an address or a password is refused first: nothing is counted or verified.
 *
 * @throws {DomainError} unavailable if too many passwords wait to be verified.
 */
export async function logIn(
  services: SessionServices,
  input: LogInInput,
  seen: ClientInfo,
): Promise<LogInOutcome> {
  if (!isPossible(input)) return { outcome: "refused" };
  const attempt = await countAttempt(services, input.email, seen);
  // With too many failures from one IP address there is nothing to hide, so no password is verified.
  if (attempt === null) return { outcome: "refused" };
  const accounts = attempt.email === null ? [] : await findAccounts(services, input.email);
  const asked = { password: input.password, by: addressKey(seen.ip) };
  const matching = await filterByPassword(services, accounts, asked).catch(async (error: unknown) => {
    await uncountAttempt(services, attempt);
    throw error;
  });
  const chosen = matching.filter(({ workspaceId }) => [null, workspaceId].includes(input.workspaceId));
  const [account] = chosen;
  if (account === undefined) return { outcome: "refused" };
  // Otherwise the owner of one account of an address could guess the others' passwords without limit.
  const forgets = matching.length === accounts.length;
  if (forgets) await forgetFailures(services, input.email, seen);
  await uncountAttempt(services, forgets ? { ...attempt, email: null } : attempt);
  if (chosen.length > 1) {
    const workspaces = chosen.map(({ workspaceId, workspaceName }) => ({
      id: workspaceId,
      name: workspaceName,
    }));
    return { outcome: "choose", workspaces };
  }
  const entered = await enter(services, account, { ...input, seen });
  if (entered.outcome === "in" && input.replaces !== null) await logOut(input.replaces);
  return entered;
}

function isPossible(input: LogInInput): boolean {
  return email.safeParse(input.email.trim()).success && isPasswordPossible(input.password);
}

async function findAccounts(services: SessionServices, email: string): Promise<Account[]> {
  return services.database.run(FIND, [email.trim(), services.sessions.requireConfirmed]);
}

/** An identity provider may assign any address to its users: accounts with a confirmed address come first. */
const FIND = sql<Account>`
SELECT u.workspace_id AS "workspaceId", w.name AS "workspaceName", u.id, COALESCE(u.name, u.email) AS name, u.email,
  u.role::text, u.hashed_password AS "hashedPassword", u.auth_epoch AS "authEpoch"
FROM "user" u JOIN workspace w ON w.id = u.workspace_id
WHERE lower(u.email) = lower($1) AND u.hashed_password IS NOT NULL AND u.suspended_at IS NULL AND u.deleted_at IS NULL
  AND w.suspended_at IS NULL AND (NOT $2 OR u.confirmed_at IS NOT NULL)
  AND ${MAY_USE_PASSWORD}
ORDER BY u.confirmed_at IS NULL, u.created_at, u.id LIMIT ${ACCOUNTS}`;

async function filterByPassword(
  { passwords }: SessionServices,
  accounts: Account[],
  { password, by }: { password: string; by: string },
): Promise<Account[]> {
  const tried = Array.from({ length: ACCOUNTS }, (_, index) => accounts[index] ?? null);
  const right = await Promise.all(
    tried.map((account) => passwords.verify(account?.hashedPassword ?? DUMMY_HASH, password, by)),
  );
  return accounts.filter((_account, index) => right[index] === true);
}

type Entry = Pick<LogInInput, "remember" | "returnTo">;

/** Begins a session or, for a person with a second factor, waits for that. */
async function enter(
  services: SessionServices,
  account: Account,
  { seen, ...entry }: Entry & { seen: ClientInfo },
): Promise<LogInOutcome> {
  const ctx = createSessionlessCtx(services, account, seen);
  const { maxDays } = services.sessions;
  const entering = ctx.transaction((tx) => enterInTransaction(tx, account, { ...entry, maxDays }));
  return catchChange(entering, { outcome: "refused" });
}

async function enterInTransaction(
  tx: Transaction,
  { id: userId, authEpoch, email: sentTo }: Account,
  { remember, returnTo = "/", maxDays }: Entry & { maxDays: number },
): Promise<LogInOutcome> {
  const user = await lockUser(tx, userId);
  if (user.hasSecondFactor) {
    const pending = { userId, authEpoch, remembered: remember, returnTo };
    return { outcome: "verify", secret: await insertPendingLogIn(tx, pending) };
  }
  const data = { userId, authEpoch, sentTo, remembered: remember, authenticatedAt: null };
  return { outcome: "in", session: await beginSession(tx, { ...data, providerId: null, maxDays }) };
}
