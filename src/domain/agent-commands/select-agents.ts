import { z } from "zod";
import { AgentKind } from "../../db/generated/enums.ts";
import type { Writing } from "../context.ts";
import { invalid } from "../errors.ts";
import { labels, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";

/** Which agents a command is for. */
export const target = z
  .object({
    agentId: uuid.nullish(),
    selector: z
      .strictObject({ kind: z.enum(AgentKind).nullish(), labels: labels.nullish() })
      .refine(
        ({ kind, labels: named }) => Boolean(kind) || Object.keys(named ?? {}).length > 0,
        "must name a kind or at least one label",
      )
      .nullish(),
  })
  .superRefine(({ agentId, selector }, context) => {
    if (Boolean(agentId) !== Boolean(selector)) return;
    const message = "must be there, or selector, and not both";
    context.addIssue({ code: "custom", path: ["agentId"], message });
  });

/** An agent as far as commands go. */
export type CommandedAgent = { id: string; handle: string; capabilities: unknown };

/**
 * Finds the agents that are meant, and locks them until the transaction ends; archived ones are never.
 *
 * @returns them in the order of their ids.
 * @throws {DomainError} validation_failed where there is none, or more than 500.
 */
export async function selectAgents(
  { run, ctx }: Writing,
  { agentId, selector }: z.output<typeof target>,
): Promise<CommandedAgent[]> {
  const { kind, labels: named } = selector ?? {};
  const values = [ctx.workspaceId, agentId ?? null, kind ?? null, JSON.stringify(named ?? {})];
  const agents = await run<CommandedAgent>(LOCK, values);
  if (agents.length === 0 && selector) throw invalid("selector", "names no agent");
  if (agents.length === 0) throw invalid("agentId", "is not an agent of this workspace");
  if (agents.length > LIMITS.commandAgents) {
    throw invalid("selector", `names more than ${LIMITS.commandAgents} agents`);
  }
  return agents;
}

const LOCK = {
  name: "agent_command_select_agents",
  text: `
SELECT id, handle, capabilities FROM agent
WHERE workspace_id = $1::uuid AND archived_at IS NULL AND ($2::uuid IS NULL OR id = $2::uuid)
  AND ($3::agent_kind IS NULL OR kind = $3::agent_kind) AND labels @> $4::jsonb
ORDER BY id LIMIT ${LIMITS.commandAgents + 1} FOR NO KEY UPDATE`,
};
