import type { z } from "zod";
import type { Ctx } from "../context.ts";
import { invalid } from "../errors.ts";
import type { capabilities } from "./capability.ts";

/**
 * Holds the schemas of an agent's capabilities to what the service can use.
 *
 * @throws {DomainError} validation_failed, which names what is wrong first; unavailable, where they can't be
 *   checked at the moment.
 */
export async function requireUsableSchemas(ctx: Ctx, declared: z.output<typeof capabilities>): Promise<void> {
  for (const [index, { params_schema: schema }] of declared.entries()) {
    if (schema === undefined) continue;
    const check = { schema: JSON.stringify(schema), value: null };
    const verdict = await ctx.services.schemas.check(ctx.workspaceId, check);
    if (verdict === null) continue;
    const field = ["capabilities", index, "params_schema", ...verdict.path].join(".");
    throw invalid(field, verdict.detail);
  }
}
