import type { CommandTarget } from "./use-targets.ts";

/** A command type that an agent supports, with its params schema if declared. */
export type Capability = { type: string; paramsSchema: unknown };

/** Capabilities of several agents, each type once, as declared by the first of them. */
export function listCapabilities(agents: readonly Pick<CommandTarget, "capabilities">[]): Capability[] {
  const byType = new Map<string, Capability>();
  for (const { capabilities } of agents) {
    for (const capability of Array.isArray(capabilities) ? capabilities.flatMap(parseCapability) : []) {
      if (!byType.has(capability.type)) byType.set(capability.type, capability);
    }
  }
  return [...byType.values()].toSorted((a, b) => a.type.localeCompare(b.type));
}

function parseCapability(declared: unknown): Capability[] {
  if (typeof declared !== "object" || declared === null) return [];
  if (!("type" in declared) || typeof declared.type !== "string") return [];
  return [
    {
      type: declared.type,
      paramsSchema: "params_schema" in declared ? declared.params_schema : undefined,
    },
  ];
}
