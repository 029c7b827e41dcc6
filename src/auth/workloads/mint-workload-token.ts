import { v7 as uuidv7 } from "uuid";
import { NOW, sql } from "../../db/sql.ts";
import { type Ctx, type Transaction, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { type Scope, isScope } from "../../domain/kernel/scopes.ts";
import { holdStops, requireNoStop } from "../../domain/stops/is-stopped.ts";
import { createToken } from "../credentials.ts";
import { lockLiveAgent } from "../lock-agent.ts";
import { resolveScopes } from "../scope-list.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import type { FoundTrust } from "./find-trust.ts";
import { TokenRequestError } from "./token-request-error.ts";
import type { Assertion } from "./verify-assertion.ts";
import type { WorkloadServices } from "./workload-services.ts";

/** A new access token. `secret` is returned only here. */
export type IssuedToken = { secret: string; scopes: Scope[]; expiresInSeconds: number };

type Verified = {
  trust: FoundTrust;
  assertion: Assertion;
  scopes: readonly string[] | null;
  seen: ClientInfo;
  identifiedAtMs: number;
};

/** What is wrong, for the audit log, and what the caller is told. */
type Failure = { reason: string; error: TokenRequestError };

/** Mints an access token for a verified workload. The workload learns what is wrong, since it is known. */
export async function mintWorkloadToken(
  services: WorkloadServices,
  verified: Verified,
): Promise<IssuedToken | Failure> {
  const tokenId = uuidv7();
  try {
    const scopes = resolveScopes(verified.scopes, new Set(verified.trust.scopes.filter(isScope)));
    const ctx = openWorkloadCtx(services, tokenId, verified);
    return await ctx.transaction((tx) => mint(tx, { ...verified, scopes, tokenId }));
  } catch (error) {
    const failure = toFailure(error);
    if (failure === null) throw error;
    return failure;
  }
}

/** Of the agent by the token that it is about to get: so whatever revokes that, revokes this. */
function openWorkloadCtx(
  services: WorkloadServices,
  tokenId: string,
  { trust, seen, identifiedAtMs }: Verified,
): Ctx {
  const actor = {
    type: "agent" as const,
    id: trust.agentId,
    name: trust.agentName,
    scopes: new Set(trust.scopes.filter(isScope)),
    credential: {
      kind: "agent_token" as const,
      id: tokenId,
      lineageId: trust.id,
      expiresAt: null,
      parent: { kind: "workload_trust" as const, id: trust.id },
    },
  };
  const caller = { ...systemCaller(trust.workspaceId, trust.agentName), ...seen, actor, identifiedAtMs };
  return openCtx(services, caller, services.now);
}

type Minting = Omit<Verified, "scopes"> & { scopes: Scope[]; tokenId: string };

async function mint(tx: Transaction, { trust, assertion, scopes, tokenId }: Minting): Promise<IssuedToken> {
  const { agentId, workspaceId } = trust;
  await holdStops(tx);
  await lockLiveAgent(tx, agentId);
  await requireNoStop(tx, [agentId]);
  const [used] = await tx.run(USE, [workspaceId, trust.id, trust.updatedAt]);
  if (used === undefined)
    throw new TokenRequestError("temporarily_unavailable", "The trust was changed just now.", 1);
  if (!trust.reusable) await requireUnused(tx, trust, assertion);
  await requireRoom(tx, trust.id);
  const { secret, digest } = createToken("agent_token");
  const expiresAt = new Date(used.now.getTime() + trust.lifetimeSeconds * 1000);
  await tx.db.agentToken.create({
    data: {
      workspaceId,
      id: tokenId,
      agentId,
      trustId: trust.id,
      digest,
      scopes,
      createdAt: used.now,
      expiresAt,
    },
  });
  const type = "agent_token.created";
  append(tx, {
    events: [{ type, subjectType: "agent_token", subjectId: tokenId, agentId, data: { scopes } }],
    audit: [
      {
        action: type,
        targetType: "agent_token",
        targetId: tokenId,
        changes: {
          agent_id: agentId,
          trust_id: trust.id,
          scopes,
          expires_at: expiresAt.toISOString(),
          issuer: trust.issuer,
          subject: assertion.subject,
        },
      },
    ],
  });
  return { secret, scopes, expiresInSeconds: trust.lifetimeSeconds };
}

async function requireUnused(
  { run, ctx }: Transaction,
  { id }: FoundTrust,
  assertion: Assertion,
): Promise<void> {
  const fresh = await run(MARK, [ctx.workspaceId, id, assertion.digest, assertion.expiresAt]);
  if (fresh.length === 0)
    throw new TokenRequestError(
      "invalid_grant",
      "The token was exchanged before. Get another from its issuer.",
    );
}

async function requireRoom({ run, ctx }: Transaction, trustId: string): Promise<void> {
  const [counted] = await run(COUNT, [ctx.workspaceId, trustId]);
  if ((counted?.count ?? 0) < LIMITS.liveTokensPerAgent) return;
  const message = `The trust has ${LIMITS.liveTokensPerAgent} valid access tokens, the maximum.`;
  throw new TokenRequestError("slow_down", message, LIMITS.workloadTokenSeconds.min);
}

function toFailure(error: unknown): Failure | null {
  if (error instanceof TokenRequestError) return { reason: error.message, error };
  if (!(error instanceof DomainError)) return null;
  const { code, message } = error;
  if (code === "unavailable")
    return { reason: code, error: new TokenRequestError("temporarily_unavailable", message, 1) };
  const asked = code === "invalid_scope" ? code : "invalid_grant";
  return { reason: code, error: new TokenRequestError(asked, message) };
}

/** Waits for changes of the trust, and finds nothing after one. */
const USE = sql<{ now: Date }>`
UPDATE workload_trust SET last_used_at = ${NOW}
WHERE workspace_id = $1::uuid AND id = $2::uuid AND updated_at = $3 AND disabled_at IS NULL AND deleted_at IS NULL
RETURNING date_trunc('milliseconds', ${NOW}) AS now`;

const MARK = sql<{ fresh: boolean }>`
INSERT INTO used_assertion (workspace_id, trust_id, digest, expires_at) VALUES ($1::uuid, $2::uuid, $3, $4)
ON CONFLICT DO NOTHING RETURNING true AS fresh`;

const COUNT = sql<{ count: number }>`
SELECT count(*)::int AS count FROM agent_token
WHERE workspace_id = $1::uuid AND trust_id = $2::uuid AND expires_at > ${NOW} AND revoked_at IS NULL`;
