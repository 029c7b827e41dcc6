import type { Target } from "./use-targets.ts";

/** A type of command that an agent carries out, and what its params must be; undefined where it does not say. */
export type Capability = { type: string; paramsSchema: unknown };

/** What agents declare, each type once, as the first of them declares it. */
export function capabilitiesOf(agents: readonly Pick<Target, "capabilities">[]): Capability[] {
  const byType = new Map<string, Capability>();
  for (const { capabilities } of agents) {
    for (const capability of Array.isArray(capabilities) ? capabilities.flatMap(capabilityOf) : []) {
      if (!byType.has(capability.type)) byType.set(capability.type, capability);
    }
  }
  return [...byType.values()].toSorted((a, b) => a.type.localeCompare(b.type));
}

function capabilityOf(declared: unknown): Capability[] {
  if (typeof declared !== "object" || declared === null) return [];
  if (!("type" in declared) || typeof declared.type !== "string") return [];
  return [
    {
      type: declared.type,
      paramsSchema: "params_schema" in declared ? declared.params_schema : undefined,
    },
  ];
}
