import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { NOW, sql } from "../../db/sql.ts";
import { AGENT_TOKEN_OF, API_KEY, buildValidSql } from "../../domain/credentials/validity-sql.ts";
import type { SocketToken } from "../../db/generated/client.ts";
import type { AgentCredential, ParentColumns } from "../../domain/kernel/actor.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { parseInput } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { createToken } from "../credentials.ts";
import { resolveScopes } from "../scope-list.ts";

const shape = z.object({
  scopes: z.array(z.string()).nullish(),
  singleUse: z.boolean().default(false),
});

/** A new token. `secret` is returned only here. */
export type NewSocketToken = { socketToken: SocketToken; secret: string; expiresInSeconds: number };

/**
 * Mints a socket token, which can open WebSockets for 600 seconds with some or all scopes of the minting
 * credential. It never outlives that credential.
 *
 * @throws {DomainError} forbidden unless the caller is an agent; invalid_scope; validation_failed.
 */
export async function createSocketToken(ctx: Ctx, input: z.input<typeof shape>): Promise<NewSocketToken> {
  const { actor } = ctx;
  if (actor.type !== "agent")
    throw new DomainError(
      "forbidden",
      "Only agents can mint socket tokens. Use an API key or an access token.",
    );
  const { scopes: asked, singleUse } = parseInput(shape, input);
  const scopes = resolveScopes(asked, actor.scopes);
  return ctx.transaction(async (tx) => {
    const parent = await requireActiveParent(tx, actor.credential);
    const lifeMs = LIMITS.socketTokenSeconds * 1000;
    const expiresAt = new Date(
      Math.min(parent.now.getTime() + lifeMs, parent.expiresAt?.getTime() ?? Infinity),
    );
    const { secret, digest } = createToken("socket_token");
    const socketToken = await tx.db.socketToken.create({
      data: {
        workspaceId: ctx.workspaceId,
        id: uuidv7(),
        agentId: actor.id,
        apiKeyId: parent.apiKeyId,
        trustId: parent.trustId,
        agentTokenId: actor.credential.kind === "agent_token" ? actor.credential.id : null,
        digest,
        scopes,
        singleUse,
        createdAt: parent.now,
        expiresAt,
      },
    });
    const { id } = socketToken;
    append(tx, {
      events: [
        { type: "socket_token.created", subjectType: "socket_token", subjectId: id, agentId: actor.id },
      ],
      audit: [
        {
          action: "socket_token.created",
          targetType: "socket_token",
          targetId: id,
          changes: { agent_id: actor.id, scopes, single_use: singleUse },
        },
      ],
    });
    const expiresInSeconds = Math.round((expiresAt.getTime() - parent.now.getTime()) / 1000);
    return { socketToken, secret, expiresInSeconds };
  });
}

/** The minting credential's current row. After a rotation its API key is the new one. */
type Parent = ParentColumns & { expiresAt: Date | null; now: Date };

/** Locks the minting credential, so that it stays valid until the transaction ends. */
async function requireActiveParent({ run, ctx }: Transaction, credential: AgentCredential): Promise<Parent> {
  const values = [ctx.workspaceId, credential.id];
  const statement = credential.kind === "api_key" ? KEY : TOKEN_OF[credential.parent.kind];
  const [locked] = await run(statement, values);
  // A rotation of the key that held the lock has moved the token to a key that only a new statement sees.
  const [parent] = locked === undefined ? await run(statement, values) : [locked];
  if (parent === undefined) throw new DomainError("invalid_token", "The token is not valid.");
  return parent;
}

const TIME = `date_trunc('milliseconds', ${NOW}) AS now`;

const KEY = sql<Parent>`
SELECT k.id AS "apiKeyId", NULL AS "trustId", ${TIME}, ${API_KEY.expiresAt} AS "expiresAt" FROM ${API_KEY.from}
WHERE k.workspace_id = $1::uuid AND k.id = $2::uuid AND ${buildValidSql(API_KEY)} FOR SHARE`;

/** The parent is locked before its token, as by revocations. */
const TOKEN_OF = {
  api_key: sql<Parent>`
SELECT k.id AS "apiKeyId", NULL AS "trustId", ${TIME}, ${AGENT_TOKEN_OF.api_key.expiresAt} AS "expiresAt"
FROM ${AGENT_TOKEN_OF.api_key.from}
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid AND ${buildValidSql(AGENT_TOKEN_OF.api_key)} FOR SHARE OF k, t`,
  workload_trust: sql<Parent>`
SELECT NULL AS "apiKeyId", u.id AS "trustId", ${TIME}, ${AGENT_TOKEN_OF.workload_trust.expiresAt} AS "expiresAt"
FROM ${AGENT_TOKEN_OF.workload_trust.from}
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid AND ${buildValidSql(AGENT_TOKEN_OF.workload_trust)}
FOR SHARE OF u, t`,
};
