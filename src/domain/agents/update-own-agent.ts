import type { Agent } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireAgent } from "../kernel/guard.ts";
import { name, parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { capabilities } from "./capability.ts";
import { changeAgent, lockAgent } from "./change-agent.ts";
import canonicalize from "canonicalize";
import { z } from "zod";

const shape = z.object({
  name: name(LIMITS.nameLength).optional(),
  version: text(LIMITS.nameLength).nullish(),
  description: text(LIMITS.textLength).nullish(),
  capabilities: capabilities.optional(),
});

type Profile = z.output<typeof shape>;

/**
 * Updates the calling agent's profile and capabilities. Fields that are left out don't change. Repeating
 * the call changes nothing.
 *
 * @throws {DomainError} forbidden unless the caller is an agent; validation_failed, also for a schema that
 *   can't be used; unavailable if schemas can't be checked at the moment.
 */
export async function updateOwnAgent(ctx: Ctx, input: z.input<typeof shape>): Promise<Agent> {
  const { id } = requireAgent(ctx);
  const asked = parseInput(shape, input);
  await requireUsableSchemas(ctx, asked.capabilities ?? []);
  return ctx.transaction(async (tx) => {
    const before = await lockAgent(tx, id);
    const { capabilities: able, ...changed } = getChanges(before, asked);
    if (able === undefined && Object.keys(changed).length === 0) return before;
    const { agent, appended } = await changeAgent(tx, before, {
      data: {
        ...changed,
        // JSON that was parsed above.
        ...(able !== undefined && { capabilities: able as object[] }),
      },
      event: "agent.updated",
      eventData: changed,
    });
    append(tx, appended);
    return agent;
  });
}

/** The fields of a profile that were given. */
type Changes = { [Field in keyof Profile]?: Exclude<Profile[Field], undefined> };

/** Returns the fields that differ. */
function getChanges(before: Agent, asked: Profile): Changes {
  const kept: Record<string, unknown> = before;
  const entries = Object.entries(asked).filter(
    ([name, value]) => value !== undefined && canonicalize(value) !== canonicalize(kept[name]),
  );
  return Object.fromEntries(entries);
}

/**
 * Checks that the capabilities' schemas can be used.
 *
 * @throws {DomainError} validation_failed with the first problem; unavailable if they can't be checked at
 *   the moment.
 */
async function requireUsableSchemas(ctx: Ctx, declared: z.output<typeof capabilities>): Promise<void> {
  for (const [index, { params_schema: schema }] of declared.entries()) {
    if (schema === undefined) continue;
    const check = { schema: JSON.stringify(schema), value: null };
    const verdict = await ctx.services.schemas.check(ctx.workspaceId, check);
    if (verdict === null) continue;
    const field = ["capabilities", index, "params_schema", ...verdict.path].join(".");
    throw createFieldError(field, verdict.detail);
  }
}
