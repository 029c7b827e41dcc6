import { createFieldError } from "../../src/domain/kernel/errors.ts";

/** The server of tools that a coding agent has itself. */
const LOCAL = "local";
const MCP = "mcp__";

/**
 * Converts a coding agent's name of a tool to the gateway's, `<server>.<tool>`: `mcp__stripe__refund` to
 * `stripe.refund`, `Bash` to `local.Bash`.
 *
 * @throws {DomainError} validation_failed for a server whose tools would be taken for those of another one.
 */
export function toToolId(name: string): string {
  const parts = name.startsWith(MCP) ? name.slice(MCP.length) : null;
  const end = parts?.indexOf("__") ?? -1;
  if (parts === null || end < 1) return `${LOCAL}.${name}`;
  const server = parts.slice(0, end);
  if (server === LOCAL || server.includes(".")) {
    throw createFieldError("tool_name", `an MCP server can't be named ${LOCAL} or have a dot in its name`);
  }
  return `${server}.${parts.slice(end + 2)}`;
}
