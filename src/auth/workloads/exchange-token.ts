import { openCtx, systemCaller } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { createSharedCapacity } from "../../domain/kernel/shared-capacity.ts";
import { type Hit, addressKey, giveBack, takeHit } from "../../domain/kernel/throttle.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { type FoundTrust, findTrust } from "./find-trust.ts";
import { ASKED_EVERY_MS } from "./issuer-keys.ts";
import { type IssuedToken, mintWorkloadToken } from "./mint-workload-token.ts";
import { TokenRequestError } from "./token-request-error.ts";
import { type Refusal, verifyAssertion } from "./verify-assertion.ts";
import type { WorkloadServices } from "./workload-services.ts";

/** A request for an access token. `trustId` may be any text. `scopes`: null for all of the trust. */
export type TokenRequest = { trustId: string; assertion: string; scopes: readonly string[] | null };

/** Failures in 15 minutes: per client address, where many may share one, and there per trust. */
const FAILURES = { address: 300, trust: 30 };
/** Refusals of a trust that are audited in 15 minutes. */
const AUDITED = 20;
/** Exchanges that run at once on a node. Those of one workspace, whose issuers may be slow, leave room for others'. */
const RUNNING = createSharedCapacity(64);
/** Holds those whose trust is not known yet. */
const UNKNOWN = "";
const THROTTLED_SECONDS = 60;

/**
 * Exchanges an issuer's token for an access token of the agent that the named trust is for. Until the token is
 * verified, every refusal is the same, so that nobody learns of a workspace or a trust.
 *
 * @throws {TokenRequestError}
 * @see RFC 7523, 3; RFC 8693, 2.
 */
export async function exchangeToken(
  services: WorkloadServices,
  request: TokenRequest,
  seen: ClientInfo,
): Promise<IssuedToken> {
  const { trust, hits } = await runCounted(UNKNOWN, () => findCounted(services, request, seen));
  try {
    const issued = await runCounted(trust.workspaceId, () => exchange(services, { trust, request, seen }));
    await uncount(services, hits);
    return issued;
  } catch (error) {
    // Who did nothing wrong may try again.
    if (!(error instanceof TokenRequestError) || error.retryAfterSeconds !== null)
      await uncount(services, hits);
    throw error;
  }
}

async function runCounted<Result>(holder: string, work: () => Promise<Result>): Promise<Result> {
  if (!RUNNING.fits(holder, 1))
    throw new TokenRequestError("temporarily_unavailable", "Too many requests at the moment.", 1);
  RUNNING.take(holder, 1);
  try {
    return await work();
  } finally {
    RUNNING.release(holder, 1);
  }
}

/** Failures are counted before the token is looked at: otherwise many at once would all pass. */
async function findCounted(
  services: WorkloadServices,
  { trustId }: TokenRequest,
  { ip }: ClientInfo,
): Promise<{ trust: FoundTrust; hits: Hit[] }> {
  const address = addressKey(ip);
  const here = await count(services, `workload:address:${address}`, FAILURES.address);
  const trust = await findTrust(services, trustId);
  if (trust === null) throw createRefusal();
  const ofTrust = await count(services, `workload:trust:${trust.id}:${address}`, FAILURES.trust);
  return { trust, hits: [here, ofTrust] };
}

async function count(services: WorkloadServices, key: string, limit: number): Promise<Hit> {
  const hit = await takeHit(services, { key, limit });
  if (hit !== null) return hit;
  throw new TokenRequestError("slow_down", "Too many failed requests.", THROTTLED_SECONDS);
}

async function uncount(services: WorkloadServices, hits: readonly Hit[]): Promise<void> {
  for (const hit of hits) await giveBack(services, hit);
}

type Exchange = { trust: FoundTrust; request: TokenRequest; seen: ClientInfo };

async function exchange(
  services: WorkloadServices,
  { trust, request, seen }: Exchange,
): Promise<IssuedToken> {
  const identifiedAtMs = performance.now();
  const now = services.now ?? services.live.now();
  const verified = await verifyAssertion(request.assertion, trust, { issuerKeys: services.issuerKeys, now });
  if ("reason" in verified) {
    await auditRefusal(services, { trust, seen }, verified);
    if (verified.isTemporary)
      throw new TokenRequestError(
        "temporarily_unavailable",
        "The token's issuer can't be asked for its keys at the moment.",
        ASKED_EVERY_MS / 1000,
      );
    throw createRefusal();
  }
  const minted = await mintWorkloadToken(services, {
    trust,
    assertion: verified,
    scopes: request.scopes,
    seen,
    identifiedAtMs,
  });
  if (!("reason" in minted)) return minted;
  const { reason, error } = minted;
  await auditRefusal(services, { trust, seen }, { reason, subject: verified.subject });
  throw error;
}

function createRefusal(): TokenRequestError {
  return new TokenRequestError("invalid_grant", "The client_id or the token is not accepted.");
}

/** Strangers must not fill the audit log. */
async function auditRefusal(
  services: WorkloadServices,
  { trust: { workspaceId, id, issuer }, seen }: Pick<Exchange, "trust" | "seen">,
  { reason, subject }: Pick<Refusal, "reason" | "subject">,
): Promise<void> {
  services.log.warn({ workspaceId, trustId: id, reason }, "a workload's token was refused");
  try {
    const hit = await takeHit(services, { key: `workload:refused:${id}`, limit: AUDITED });
    if (hit === null) return;
    const caller = { ...systemCaller(workspaceId, "workload identity"), ...seen };
    const changes = { reason, issuer, subject };
    await openCtx(services, caller, services.now).transaction(async (tx) => {
      const target = { targetType: "workload_trust", targetId: id };
      append(tx, { events: [], audit: [{ action: "workload_trust.refused", ...target, changes }] });
    });
  } catch (error) {
    services.log.warn({ err: error }, "the refusal of a workload's token could not be recorded");
  }
}
