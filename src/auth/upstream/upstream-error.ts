import type { McpServerHealth } from "../../db/generated/enums.ts";

/** A request to an MCP server that gave no usable answer. The message says why, and has no secret. */
export class UpstreamError extends Error {
  readonly health: McpServerHealth;
  /** Whether the server may have received the request. */
  readonly isSent: boolean;

  constructor(health: McpServerHealth, message: string, isSent: boolean) {
    super(message);
    this.name = "UpstreamError";
    this.health = health;
    this.isSent = isSent;
  }
}
