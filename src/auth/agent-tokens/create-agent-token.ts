import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { AgentToken } from "../../db/generated/client.ts";
import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { AgentKind } from "../../db/generated/enums.ts";
import { insertAgent } from "../../domain/agents/insert-agent.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { type AppendContent, append } from "../../domain/kernel/events.ts";
import { requireAgent, requireApiKey, requireScope } from "../../domain/kernel/guard.ts";
import { handle, name, parseInput } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { holdStops, requireNoStop } from "../../domain/stops/is-stopped.ts";
import { createToken } from "../credentials.ts";
import { requireActiveKey } from "../active-key.ts";
import { lockNamedAgent, requireNotArchived } from "../lock-agent.ts";
import { resolveScopes } from "../scope-list.ts";
import { makeRoomForToken } from "./make-room-for-token.ts";

const { min, max } = LIMITS.agentTokenSeconds;

const shape = z.object({
  agent: z
    .object({
      handle,
      name: name(LIMITS.nameLength).nullish(),
      kind: z.enum(AgentKind).nullish(),
    })
    .nullish(),
  scopes: z.array(z.string()).nullish(),
  name: name(LIMITS.nameLength).nullish(),
  expiresIn: z
    .int("must be a whole number")
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .nullish(),
  revokeOldest: z.boolean().nullish(),
});

type AgentInput = NonNullable<z.output<typeof shape>["agent"]>;
type Resolved = { agentId: string; appended: Required<Pick<AppendContent, "events" | "totals">> };

/** A new token. `secret` is returned only here. */
export type NewAgentToken = { agentToken: AgentToken; secret: string; expiresInSeconds: number };

/**
 * Mints an access token for an agent, for 30 days or less. Only a SHA-256 digest of the secret is stored.
 * The agent is the key's own unless `agent` gives a handle; an unknown handle creates an agent.
 *
 * @throws {DomainError} api_key_required for any other credential; invalid_scope; insufficient_scope for
 *   another agent without `agents:write`; validation_failed; emergency_stop; token_limit if the agent has 1,000 valid tokens
 *   of the key and the oldest are not to be revoked.
 */
export async function createAgentToken(ctx: Ctx, input: z.input<typeof shape>): Promise<NewAgentToken> {
  const { id: apiKeyId } = requireApiKey(ctx);
  const asked = parseInput(shape, input);
  try {
    return await mint(ctx, apiKeyId, asked);
  } catch (error) {
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    // Another request has just created the agent with this handle, so it is found now.
    return mint(ctx, apiKeyId, asked);
  }
}

async function mint(ctx: Ctx, apiKeyId: string, asked: z.output<typeof shape>): Promise<NewAgentToken> {
  return ctx.transaction(async (tx) => {
    await holdStops(tx);
    // The agent before the key, as rotations do.
    const { agentId, appended } = await resolveAgent(tx, asked.agent);
    await requireNoStop(tx, [agentId]);
    const key = await requireActiveKey(tx, apiKeyId);
    const scopes = resolveScopes(asked.scopes, key.scopes);
    const ended = await makeRoomForToken(tx, {
      agentId,
      apiKeyId: key.id,
      revokesOldest: asked.revokeOldest === true,
    });
    const lifeMs = (asked.expiresIn ?? max) * 1000;
    const expiresAt = new Date(Math.min(key.now.getTime() + lifeMs, key.expiresAt?.getTime() ?? Infinity));
    const { secret, digest } = createToken("agent_token");
    const agentToken = await tx.db.agentToken.create({
      data: {
        workspaceId: ctx.workspaceId,
        id: uuidv7(),
        agentId,
        apiKeyId: key.id,
        digest,
        name: asked.name ?? null,
        scopes,
        createdAt: key.now,
        expiresAt,
      },
    });
    append(tx, {
      events: [...appended.events, ...ended.events, buildCreatedEvent(agentToken)],
      totals: appended.totals,
      revocations: ended.revocations,
      audit: [
        ...ended.audit,
        {
          action: "agent_token.created",
          targetType: "agent_token",
          targetId: agentToken.id,
          changes: { agent_id: agentId, api_key_id: key.id, scopes, expires_at: expiresAt.toISOString() },
        },
      ],
    });
    const expiresInSeconds = Math.round((expiresAt.getTime() - key.now.getTime()) / 1000);
    return { agentToken, secret, expiresInSeconds };
  });
}

function buildCreatedEvent({ id, agentId, scopes }: AgentToken) {
  return {
    type: "agent_token.created",
    subjectType: "agent_token",
    subjectId: id,
    agentId,
    data: { scopes },
  };
}

/** Locks the agent, or creates it. The key's own agent can't be archived while the key is valid. */
async function resolveAgent(tx: Transaction, asked: AgentInput | null | undefined): Promise<Resolved> {
  const nothing = { events: [], totals: [] };
  const { id: ownId } = requireAgent(tx.ctx);
  if (asked === null || asked === undefined) return { agentId: ownId, appended: nothing };
  const known = await lockNamedAgent(tx, asked.handle);
  if (known?.id !== ownId) requireScope(tx.ctx, "agents:write");
  if (known === null) {
    const { agent, appended } = await insertAgent(tx, {
      handle: asked.handle,
      name: asked.name ?? asked.handle,
      kind: asked.kind ?? "software",
    });
    return { agentId: agent.id, appended };
  }
  if (asked.kind && asked.kind !== known.kind)
    throw createFieldError("agent.kind", `must be ${known.kind}, the kind of the existing agent`);
  requireNotArchived(known, "agent.handle");
  return { agentId: known.id, appended: nothing };
}
