import type { ReadOptions } from "../../src/domain/traces/telemetry.ts";

/** How a workspace without settings of its own reads what is sent. */
export function createReadOptions(given: Partial<ReadOptions> = {}): ReadOptions {
  return {
    capture: { own: "redacted", ofAgents: new Map() },
    dropRules: [],
    workspaceId: "a",
    nowUs: Date.now() * 1000,
    ...given,
  };
}
