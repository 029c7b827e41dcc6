import type { CommandTarget } from "./use-targets.ts";

/** A type of command that an agent carries out, and what its params must be; undefined where it does not say. */
export type Capability = { type: string; paramsSchema: unknown };

/** What agents declare, each type once, as the first of them declares it. */
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
