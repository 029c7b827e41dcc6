import { buildValidSql, getOwnValidity } from "../../domain/credentials/validity-sql.ts";
import type { HonoRequest } from "hono";
import type { Logger } from "pino";
import { sql } from "../../db/sql.ts";
import { type Ctx, openCtx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { hasTokenInQuery, readTraceparent } from "../../http/request.ts";
import { type AuthServices, readBearer } from "../authenticate.ts";
import { parseBearerKind, hashSecret } from "../credentials.ts";
import { getClientInfo } from "../sessions/identify-session.ts";

/** What SCIM authentication needs of a request. */
type Incoming = { req: HonoRequest; var: { requestId: string; log: Logger; ip: string | null } };

type Found = {
  id: string;
  workspaceId: string;
  label: string | null;
  isInvalid: boolean;
  revoked: boolean;
  suspended: boolean;
  stale: boolean;
};

/**
 * Creates the context of an identity provider's request from its SCIM token. The token is looked up each
 * time, so a revocation or the end of an overlap takes effect with the next request.
 *
 * @throws {DomainError} unauthenticated; invalid_request; invalid_token; workspace_suspended.
 * @see RFC 7644, 2; RFC 6750.
 */
export async function authenticateScim(services: AuthServices, c: Incoming): Promise<Ctx> {
  const presented = {
    authorization: c.req.header("authorization") ?? null,
    tokenInQuery: hasTokenInQuery(c),
  };
  const shown = readBearer(presented);
  if (shown.outcome === "refused") throw shown.error;
  if (shown.outcome === "anonymous") {
    throw new DomainError("unauthenticated", "Send the workspace's SCIM token in the Authorization header.");
  }
  const identifiedAtMs = performance.now();
  const token = await findToken(services, shown.bearer);
  if (token === null) throw new DomainError("invalid_token", "The token is not valid.");
  const { id, workspaceId } = token;
  const actor = { type: "scim", id, name: token.label ?? "SCIM" } as const;
  const seen = getClientInfo(c);
  if (token.revoked) services.noteRevokedUse({ kind: "scim_token", id, actor, workspaceId }, seen);
  if (token.isInvalid) throw new DomainError("invalid_token", "The token is not valid.");
  if (token.suspended) throw new DomainError("workspace_suspended", "The workspace is suspended.");
  if (token.stale) noteUse(services, token);
  return openCtx(
    { ...services, log: c.var.log },
    {
      ...seen,
      actor,
      workspaceId,
      identifiedAtMs,
      traceparent: readTraceparent(c),
      idempotency: null,
      handSession: () => {},
    },
    services.now,
  );
}

async function findToken({ database, now }: AuthServices, bearer: string): Promise<Found | null> {
  if (parseBearerKind(bearer) !== "scim_token") return null;
  const [token] = await database.run(FIND, [hashSecret(bearer), now]);
  return token ?? null;
}

const VALIDITY = getOwnValidity("t");

const FIND = sql<Found>`
SELECT t.id, t.workspace_id AS "workspaceId", t.label, w.suspended_at IS NOT NULL AS suspended,
  NOT ${buildValidSql(VALIDITY)} AS "isInvalid", ${VALIDITY.isRevoked} AS revoked,
  COALESCE(t.last_used_at <= now() - interval '1 minute', TRUE) AS stale
FROM scim_token t JOIN workspace w ON w.id = t.workspace_id
WHERE t.digest = $1`;

/** Updates last_used_at once a minute, in the background. */
function noteUse({ database, log }: AuthServices, { workspaceId, id }: Found): void {
  database.run(NOTE, [workspaceId, id]).catch((error: unknown) => {
    log.warn({ err: error }, "the use of a SCIM token could not be recorded");
  });
}

const NOTE = sql`UPDATE scim_token SET last_used_at = now() WHERE workspace_id = $1::uuid AND id = $2::uuid`;
