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

/** Which agents a command is for, as it was held to its shape. */
export type Target = z.output<typeof target>;

/** The agents that are meant: $1 workspace, then what {@link valuesOf} gives. Archived ones never are. */
export const MEANT = `
workspace_id = $1::uuid AND archived_at IS NULL AND ($2::uuid IS NULL OR id = $2::uuid)
  AND ($3::agent_kind IS NULL OR kind = $3::agent_kind) AND labels @> $4::jsonb`;

/** The parameters of {@link MEANT} from the second on. */
export function valuesOf({ agentId, selector }: Target): unknown[] {
  return [agentId ?? null, selector?.kind ?? null, JSON.stringify(selector?.labels ?? {})];
}

/**
 * Finds the agents that are meant, and locks them until the transaction ends; archived ones are never.
 *
 * @returns their ids, in order.
 * @throws {DomainError} validation_failed where there is none, or more than 500.
 */
export async function selectAgents({ run, ctx }: Writing, target: Target): Promise<string[]> {
  const agents = await run<{ id: string }>(LOCK, [ctx.workspaceId, ...valuesOf(target)]);
  const { selector } = target;
  if (agents.length === 0 && selector) throw invalid("selector", "names no agent");
  if (agents.length === 0) throw invalid("agentId", "is not an agent of this workspace");
  if (agents.length > LIMITS.commandAgents) {
    throw invalid("selector", `names more than ${LIMITS.commandAgents} agents`);
  }
  return agents.map(({ id }) => id);
}

const LOCK = {
  name: "agent_command_select_agents",
  text: `SELECT id FROM agent WHERE ${MEANT} ORDER BY id LIMIT ${LIMITS.commandAgents + 1} FOR NO KEY UPDATE`,
};
