import canonicalize from "canonicalize";
import { z } from "zod";
import type { Agent } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { labels, parseInput, uuid } from "../kernel/input.ts";
import { holdStops, requireNoStop } from "../stops/is-stopped.ts";
import { changeAgent, lockAgent } from "./change-agent.ts";

const shape = z.object({ id: uuid, labels });

/**
 * Replaces an agent's labels, by which policies, budgets, stops, commands and missions mean it. Only people can: what
 * an agent says of itself binds nobody. Repeating the call changes nothing.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found, also if it is archived;
 *   validation_failed; emergency_stop while a stop covers it, which other labels could end.
 */
export async function setAgentLabels(ctx: Ctx, input: z.input<typeof shape>): Promise<Agent> {
  requireSudo(ctx, "admin");
  const { id, labels: asked } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await holdStops(tx);
    const before = await lockAgent(tx, id);
    if (canonicalize(before.labels) === canonicalize(asked)) return before;
    await requireNoStop(tx, [id]);
    const { agent, appended } = await changeAgent(tx, before, {
      data: { labels: asked },
      event: "agent.updated",
      eventData: { labels: asked },
      audit: { action: "agent.labels_changed", changes: { labels: { from: before.labels, to: asked } } },
    });
    append(tx, appended);
    return agent;
  });
}
