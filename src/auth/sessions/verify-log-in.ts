import type { Ctx, NewSession, Transaction } from "../../domain/kernel/context.ts";
import { clearHits, takeHit } from "../../domain/kernel/throttle.ts";
import { type LockedUser, lockUser } from "../../domain/users/lock-user.ts";
import { createSessionlessCtx } from "../create-sessionless-ctx.ts";
import { type Factor, noteFactorEvent } from "../factors/factor-change.ts";
import { useCode } from "../factors/use-code.ts";
import { getVerificationUse } from "../passkeys/begin-passkey-use.ts";
import { usePasskey } from "../passkeys/use-passkey.ts";
import { beginSession } from "./begin-session.ts";
import { catchChange } from "./catch-change.ts";
import type { ClientInfo } from "./client-info.ts";
import { countCode, uncountCode } from "./code-attempt.ts";
import { logOut } from "./log-out.ts";
import { type PendingLogIn, endPendingLogIn, findPendingLogIn, takeTry } from "./pending-log-in.ts";
import type { SessionServices } from "./session-services.ts";

/** Wrong codes within 15 minutes of which nobody is told. */
const UNNOTED = 4;

/** A code, or what the browser says of a passkey. */
export type Proof = { code: string } | { passkey: string };

/** The second step of a log-in. */
export type VerificationInput = {
  /** Of the browser's cookie; null without one. */
  secret: string | null;
  proof: Proof;
  /** The browser's previous session, which the new one replaces. */
  replaces: Ctx | null;
};

/** `ended`: the log-in has to begin again. */
export type Verification =
  | { outcome: "in"; session: NewSession; returnTo: string }
  | { outcome: "wrong" }
  | { outcome: "ended" };

/**
 * Finishes a log-in with the second factor. It ends after five wrong codes, ten minutes, and with every change of the
 * password. Passkeys can't be guessed: too many wrong codes don't keep their owner out.
 *
 * @throws {DomainError} rate_limited after too many wrong codes for the person, also of other log-ins.
 */
export async function verifyLogIn(
  services: SessionServices,
  { secret, proof, replaces }: VerificationInput,
  seen: ClientInfo,
): Promise<Verification> {
  const pending = secret === null ? null : await findPendingLogIn(services, secret);
  if (pending === null) return { outcome: "ended" };
  const by = { userId: pending.userId, place: "log-in" } as const;
  const hits = "code" in proof ? await countCode(services, by, seen) : [];
  const ctx = createSessionlessCtx(services, { ...pending, id: pending.userId }, seen);
  const { maxDays } = services.sessions;
  const verifying = ctx.transaction((tx) => verify(tx, pending, { proof, maxDays }));
  const verified = await catchChange<Verification>(verifying, { outcome: "ended" });
  if (verified.outcome !== "in") return verified;
  await uncountCode(services, hits);
  if (replaces !== null) await logOut(replaces);
  return verified;
}

async function verify(
  tx: Transaction,
  pending: PendingLogIn,
  { proof, maxDays }: { proof: Proof; maxDays: number },
): Promise<Verification> {
  const { userId, authEpoch, remembered, returnTo } = pending;
  const user = await lockUser(tx, userId);
  const tried = await takeTry(tx, pending);
  if (tried === null) return { outcome: "ended" };
  const factor = await useProof(tx, user, { proof, pending });
  if (factor !== null || tried.isLast) await endPendingLogIn(tx, pending);
  if (factor === null) {
    if ("code" in proof) await noteWrongCode(tx, user);
    return { outcome: tried.isLast ? "ended" : "wrong" };
  }
  const person = { userId, authEpoch, sentTo: user.email };
  const session = await beginSession(tx, {
    ...person,
    remembered,
    factor,
    authenticatedAt: null,
    providerId: null,
    maxDays,
  });
  return { outcome: "in", session, returnTo };
}

async function useProof(
  tx: Transaction,
  user: LockedUser,
  { proof, pending }: { proof: Proof; pending: PendingLogIn },
): Promise<Factor | null> {
  if ("code" in proof) return useCode(tx, user, proof.code);
  const use = getVerificationUse(pending);
  const isRight = await usePasskey(tx, user, { response: proof.passkey, use, isUserVerified: false });
  return isRight ? "passkey" : null;
}

/** Whoever enters a code knows the password: the person is told of every fifth wrong one, of all log-ins together. */
async function noteWrongCode(tx: Transaction, user: LockedUser): Promise<void> {
  const services = { database: tx, now: tx.ctx.now };
  const key = `code:noted:${user.id}`;
  if ((await takeHit(services, { key, limit: UNNOTED })) !== null) return;
  await clearHits(services, key);
  await noteFactorEvent(tx, user, { action: "user.codes_wrong", news: "codes_wrong" });
}
