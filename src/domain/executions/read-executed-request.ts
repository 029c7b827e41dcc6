import type { Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { mayBeRedacted } from "../kernel/redact.ts";
import { type AccessRequest, parseRequest } from "../gateway-checks/parse-request.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";

/**
 * Reads the request that an execution was opened for, from the decision that permitted it.
 *
 * @throws {DomainError} validation_failed if it isn't stored as it was: it had secrets, was too large, or is deleted.
 */
export async function readExecutedRequest(
  ctx: Ctx,
  { id, requestHash }: Pick<Execution, "id" | "requestHash">,
): Promise<AccessRequest> {
  const [row] = await ctx.run(PERMITTED, [ctx.workspaceId, requestHash, id]);
  const text = row === undefined || row.request === null ? null : JSON.stringify(row.request);
  if (text !== null && !mayBeRedacted(text)) return parseRequest(text);
  const message = "can't be retried: what the agent asked for is not stored as it was. It must ask again";
  throw createFieldError("outcome", message);
}

const PERMITTED = sql<{ request: unknown }>`
SELECT request FROM decision
WHERE workspace_id = $1::uuid AND request_hash = $2::bytea AND execution_id = $3::uuid AND outcome = 'allow'
ORDER BY id DESC LIMIT 1`;
