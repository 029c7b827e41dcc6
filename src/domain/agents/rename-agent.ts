import { z } from "zod";
import type { Agent } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { name, parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { changeAgent, lockAgent } from "./change-agent.ts";

const shape = z.object({ id: uuid, name: name(LIMITS.nameLength) });

/**
 * Renames an agent. Its handle does not change.
 *
 * @throws {DomainError} forbidden below admin; not_found, also if it is archived; validation_failed.
 */
export async function renameAgent(ctx: Ctx, input: z.input<typeof shape>): Promise<Agent> {
  requireRole(ctx, "admin");
  const { id, name } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const before = await lockAgent(tx, id);
    if (before.name === name) return before;
    const { agent, appended } = await changeAgent(tx, before, {
      data: { name },
      event: "agent.updated",
      eventData: { name },
      audit: { action: "agent.renamed", changes: { name: { from: before.name, to: name } } },
    });
    append(tx, appended);
    return agent;
  });
}
