import type { Ctx } from "../context.ts";
import { type DomainError, invalid } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { isDeEscalating } from "./command-types.ts";
import { MEANT, type Target, valuesOf } from "./select-agents.ts";

/** A schema that agents declare, as JSON, and the first of them by its handle. */
type Declared = { schema: string; handle: string };

/**
 * Holds a command's params to what its agents declare for its type at this moment. What an agent does not
 * declare, it is left to refuse itself; what only makes it do less is never refused.
 *
 * @returns the refusal, which names the first agent that declares otherwise, or null.
 * @throws {DomainError} unavailable, where schemas can't be checked at the moment.
 */
export async function paramsRefusal(
  ctx: Ctx,
  target: Target,
  { type, params }: { type: string; params: object },
): Promise<DomainError | null> {
  if (isDeEscalating(type)) return null;
  const declared = await ctx.read<Declared>(DECLARED, [ctx.workspaceId, ...valuesOf(target), type]);
  if (declared.length > LIMITS.commandSchemas) {
    return invalid(
      "selector",
      `names agents that declare more than ${LIMITS.commandSchemas} schemas of ${type}`,
    );
  }
  const value = JSON.stringify(params);
  for (const { schema, handle } of declared) {
    const verdict = await ctx.services.schemas.check(ctx.workspaceId, { schema, value });
    if (verdict === null) continue;
    const whose = `(as ${handle} declares ${type})`;
    if (verdict.of === "schema") return invalid("params", `${UNUSABLE}: it ${verdict.detail} ${whose}`);
    return invalid(["params", ...verdict.path].join("."), `${verdict.detail} ${whose}`);
  }
  return null;
}

/** A schema that can't be used is no reason to accept. */
const UNUSABLE = "can't be checked against the schema that is declared for them";

const DECLARED = {
  name: "agent_command_declared_schemas",
  text: `
WITH meant AS (SELECT id, handle, capabilities FROM agent WHERE ${MEANT} ORDER BY id LIMIT ${LIMITS.commandAgents})
SELECT declared ->> 'params_schema' AS schema, min(handle) AS handle
FROM meant, jsonb_array_elements(capabilities) AS declared
WHERE declared ->> 'type' = $5 AND declared ? 'params_schema'
GROUP BY declared ->> 'params_schema' ORDER BY 2 LIMIT ${LIMITS.commandSchemas + 1}`,
};
