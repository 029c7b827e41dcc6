import { createFieldError } from "../../src/domain/kernel/errors.ts";

/** The server of tools that a coding agent has itself. */
const LOCAL = "local";
const MCP = "mcp__";
const DIVIDER = "__";

/** The most ways in which a name may be read: each is checked. */
const MOST = 8;

/**
 * Converts a coding agent's name of a tool to the gateway's, `<server>.<tool>`: `mcp__stripe__refund` to
 * `stripe.refund`, `Bash` to `local.Bash`. Servers and tools may have two underscores in their names, so that
 * `mcp__a__b__c` is `a.b__c` or `a__b.c`.
 *
 * @returns all that it may be; first as coding agents themselves read it, with the shortest server.
 * @throws {DomainError} validation_failed for a server whose tools would be taken for those of another one, a name
 *   without server or tool, and one that may be too many.
 */
export function listToolIds(name: string): [string, ...string[]] {
  if (!name.startsWith(MCP)) return [`${LOCAL}.${name}`];
  const [first, ...others] = listReadings(name.slice(MCP.length));
  if (first === undefined) throw createFieldError("tool_name", "must be mcp__<server>__<tool>");
  return [first, ...others];
}

function listReadings(parts: string): string[] {
  const readings: string[] = [];
  for (let at = parts.indexOf(DIVIDER); at !== -1; at = parts.indexOf(DIVIDER, at + 1)) {
    const [server, tool] = [parts.slice(0, at), parts.slice(at + DIVIDER.length)];
    if (server === "" || tool === "") continue;
    if (readings.length === MOST) throw createFieldError("tool_name", "has too many double underscores");
    requireServer(server);
    readings.push(`${server}.${tool}`);
  }
  return readings;
}

function requireServer(server: string): void {
  if (server !== LOCAL && !server.includes(".")) return;
  throw createFieldError("tool_name", `an MCP server can't be named ${LOCAL} or have a dot in its name`);
}
