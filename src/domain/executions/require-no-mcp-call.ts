import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";

/** @throws {DomainError} invalid_state for the execution of a call that the proxy passed on to an MCP server. */
export async function requireNoMcpCall(
  { run, ctx }: Pick<Transaction, "run" | "ctx">,
  id: string,
  reason: string,
): Promise<void> {
  const [call] = await run(FIND, [ctx.workspaceId, id]);
  if (call === undefined) return;
  throw new DomainError("invalid_state", `This is a call through the MCP proxy: ${reason}.`);
}

const FIND = sql`SELECT 1 FROM mcp_call WHERE workspace_id = $1::uuid AND id = $2::uuid`;
