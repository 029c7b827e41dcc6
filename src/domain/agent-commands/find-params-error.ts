import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { type DomainError, createFieldError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isDeEscalating } from "./command-types.ts";
import { IS_RECIPIENT, type CommandRecipients, toRecipientValues } from "./select-agents.ts";

/** A declared schema as JSON, and the first agent with it by handle. */
type DeclaredSchema = { schema: string; handle: string };

/**
 * Validates a command's params against the schemas that its agents currently declare for its type. Agents
 * without a declaration decide themselves; commands that only make an agent do less are always allowed.
 *
 * @param order `field` is what errors call the params.
 * @returns an error that names the first agent whose schema is violated, or null.
 * @throws {DomainError} unavailable if schemas can't be checked at the moment.
 */
export async function findParamsError(
  ctx: Ctx,
  target: CommandRecipients,
  { type, params, field = "params" }: { type: string; params: object; field?: string },
): Promise<DomainError | null> {
  if (isDeEscalating(type)) return null;
  const declared = await ctx.read(DECLARED, [ctx.workspaceId, ...toRecipientValues(target), type]);
  if (declared.length > LIMITS.commandSchemas) {
    return createFieldError(
      "selector",
      `selects agents that declare more than ${LIMITS.commandSchemas} different schemas for ${type}`,
    );
  }
  const value = JSON.stringify(params);
  for (const { schema, handle } of declared) {
    const verdict = await ctx.services.schemas.check(ctx.workspaceId, { schema, value });
    if (verdict === null) continue;
    const source = `(as ${handle} declares ${type})`;
    if (verdict.subject === "schema")
      return createFieldError(field, `${UNUSABLE}: it ${verdict.detail} ${source}`);
    return createFieldError([field, ...verdict.path].join("."), `${verdict.detail} ${source}`);
  }
  return null;
}

/** A command whose schema can't be used is rejected. */
const UNUSABLE = "can't be checked against the schema that is declared for them";

const DECLARED = sql<DeclaredSchema>`
WITH meant AS (SELECT id, handle, capabilities FROM agent WHERE ${IS_RECIPIENT} ORDER BY id LIMIT ${LIMITS.commandAgents})
SELECT declared ->> 'params_schema' AS schema, min(handle) AS handle
FROM meant, jsonb_array_elements(capabilities) AS declared
WHERE declared ->> 'type' = $5 AND declared ? 'params_schema'
GROUP BY declared ->> 'params_schema' ORDER BY 2 LIMIT ${LIMITS.commandSchemas + 1}`;
