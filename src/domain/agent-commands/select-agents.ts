import { sql } from "../../db/sql.ts";
import { z } from "zod";
import { AgentKind } from "../../db/generated/enums.ts";
import type { Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { labels, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** The recipients of a command. */
export const commandRecipients = z
  .object({
    agentId: uuid.nullish(),
    selector: z
      .strictObject({ kind: z.enum(AgentKind).nullish(), labels: labels.nullish() })
      .refine(
        ({ kind, labels: named }) => Boolean(kind) || Object.keys(named ?? {}).length > 0,
        "must have a kind or at least one label",
      )
      .nullish(),
  })
  .superRefine(({ agentId, selector }, context) => {
    if (Boolean(agentId) !== Boolean(selector)) return;
    const message = "is required if there is no selector, and not allowed with one";
    context.addIssue({ code: "custom", path: ["agentId"], message });
  });

/** The parsed recipients of a command. */
export type CommandRecipients = z.output<typeof commandRecipients>;

/**
 * SQL condition for recipients: $1 is the workspace, then come the values of {@link toRecipientValues}.
 * Archived agents never match.
 */
export const IS_RECIPIENT = `
workspace_id = $1::uuid AND archived_at IS NULL AND ($2::uuid IS NULL OR id = $2::uuid)
  AND ($3::agent_kind IS NULL OR kind = $3::agent_kind) AND labels @> $4::jsonb`;

/** Returns the parameters of {@link IS_RECIPIENT} from the second on. */
export function toRecipientValues({ agentId, selector }: CommandRecipients): unknown[] {
  return [agentId ?? null, selector?.kind ?? null, JSON.stringify(selector?.labels ?? {})];
}

/**
 * Finds the recipients and locks them until the transaction ends.
 *
 * @returns their ids, in order.
 * @throws {DomainError} validation_failed if there are none or more than 500.
 */
export async function selectAgents({ run, ctx }: Transaction, target: CommandRecipients): Promise<string[]> {
  const agents = await run(LOCK, [ctx.workspaceId, ...toRecipientValues(target)]);
  const { selector } = target;
  if (agents.length === 0 && selector) throw createFieldError("selector", "matches no agent");
  if (agents.length === 0) throw createFieldError("agentId", "is not an agent of this workspace");
  if (agents.length > LIMITS.commandAgents) {
    throw createFieldError("selector", `matches more than ${LIMITS.commandAgents} agents`);
  }
  return agents.map(({ id }) => id);
}

const LOCK = sql<{
  id: string;
}>`SELECT id FROM agent WHERE ${IS_RECIPIENT} ORDER BY id LIMIT ${LIMITS.commandAgents + 1} FOR NO KEY UPDATE`;
