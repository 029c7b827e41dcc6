import { z } from "zod";
import type { ApiKey } from "../../db/generated/client.ts";
import { insertAgent } from "../../domain/agents/insert-agent.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { type AppendContent, append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { handle, name, parseInput } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { lockNamedAgent, requireNotArchived } from "../lock-agent.ts";
import { parseScopes } from "../scope-list.ts";
import { insertApiKey } from "./insert-api-key.ts";
import { ipAllowlist } from "./ip-allowlist.ts";
import { lockCreator } from "./lock-creator.ts";
import { requireFuture } from "./require-future.ts";

const shape = z.object({
  name: name(LIMITS.nameLength),
  scopes: z.array(z.string()),
  agentHandle: handle.nullish(),
  ipAllowlist: ipAllowlist.default([]),
  expiresAt: z.date().nullish(),
});

/**
 * Creates an API key for the agent with the given handle, or for a new agent.
 *
 * @returns the key's row, and `secret`, the whole key, returned only here.
 * @throws {DomainError} forbidden below admin; sudo_required; invalid_scope; validation_failed, also for
 *   an archived agent; not_found for an unknown handle.
 */
export async function createApiKey(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<{ apiKey: ApiKey; secret: string }> {
  requireSudo(ctx, "admin");
  const { name, agentHandle, expiresAt, ipAllowlist, ...asked } = parseInput(shape, input);
  const scopes = parseScopes(asked.scopes);
  return ctx.transaction(async (tx) => {
    await lockCreator(tx);
    await requireFuture(tx, expiresAt);
    const { agentId, appended } = await findOrCreateAgent(tx, agentHandle, name);
    const made = await insertApiKey(tx, {
      agentId,
      name,
      scopes,
      primary: false,
      ipAllowlist,
      expiresAt: expiresAt ?? null,
    });
    const target = { targetType: "api_key", targetId: made.apiKey.id };
    append(tx, {
      events: [
        ...appended.events,
        {
          type: "api_key.created",
          subjectType: "api_key",
          subjectId: made.apiKey.id,
          agentId,
          data: { name, scopes },
        },
      ],
      totals: appended.totals,
      audit: [
        {
          action: "api_key.created",
          ...target,
          changes: { name, scopes, agent_id: agentId, ip_allowlist: ipAllowlist },
        },
      ],
    });
    return made;
  });
}

async function findOrCreateAgent(
  tx: Transaction,
  agentHandle: string | null | undefined,
  name: string,
): Promise<{
  agentId: string;
  appended: Pick<AppendContent, "events"> & Required<Pick<AppendContent, "totals">>;
}> {
  if (typeof agentHandle !== "string") {
    const random = crypto.randomUUID().slice(0, 8);
    const { agent, appended } = await insertAgent(tx, { handle: `key-${random}`, name, kind: "software" });
    return { agentId: agent.id, appended };
  }
  const agent = await lockNamedAgent(tx, agentHandle);
  if (agent === null) throw createNotFoundError("agent");
  requireNotArchived(agent, "agentHandle");
  return { agentId: agent.id, appended: { events: [], totals: [] } };
}
