import { z } from "zod";
import type { Agent } from "../../db/generated/client.ts";
import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { AgentKind } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { handle, name, parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { insertAgent } from "./insert-agent.ts";

const shape = z.object({
  handle,
  name: name(LIMITS.nameLength).nullish(),
  kind: z.enum(AgentKind).default("software"),
});

/**
 * Creates an agent and, for the kind robot, its robot. The name defaults to the handle.
 *
 * @throws {DomainError} insufficient_scope without `agents:write`; forbidden below admin;
 *   validation_failed; emergency_stop; already_exists if an agent has or had the handle.
 */
export async function createAgent(ctx: Ctx, input: z.input<typeof shape>): Promise<Agent> {
  requireScope(ctx, "agents:write");
  const asked = parseInput(shape, input);
  try {
    return await ctx.transaction(async (tx) => {
      const { agent, appended } = await insertAgent(tx, { ...asked, name: asked.name ?? asked.handle });
      const { id } = agent;
      const changes = { handle: agent.handle, kind: agent.kind };
      const audit = [{ action: "agent.created", targetType: "agent", targetId: id, changes }];
      append(tx, { ...appended, audit: ctx.actor.type === "agent" ? [] : audit });
      return agent;
    });
  } catch (error) {
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    throw new DomainError("already_exists", "Another agent has or had this handle. Choose another one.", {
      field: "handle",
    });
  }
}
