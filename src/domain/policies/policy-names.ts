import type { CompiledPolicy } from "./compile-policy.ts";
import { parseGlob } from "./glob.ts";
import { COMMANDS } from "./match-scope.ts";

/** What the scopes of enforced policies name without stars, sorted; subjects and resources by type. */
export type PolicyNames = {
  subject: ReadonlyMap<string, readonly string[]>;
  resource: ReadonlyMap<string, readonly string[]>;
  action: readonly string[];
};

export function listPolicyNames(policies: readonly CompiledPolicy[]): PolicyNames {
  const rules = policies.filter(({ mode }) => mode === "enforce").map(({ rule }) => rule);
  return {
    subject: nameByType(rules.flatMap(({ subjects }) => subjects ?? [])),
    resource: nameByType(rules.flatMap(({ resources }) => resources ?? [])),
    action: sortNames(rules.flatMap(({ actions }) => actions)).filter((action) => action !== COMMANDS),
  };
}

type NamedEntry = { type: string; name?: string | undefined };

function nameByType(entries: readonly NamedEntry[]): Map<string, string[]> {
  const patterns = new Map<string, string[]>();
  for (const { type, name } of entries) {
    if (name === undefined) continue;
    const others = patterns.get(type);
    if (others === undefined) patterns.set(type, [name]);
    else others.push(name);
  }
  return new Map([...patterns].map(([type, names]) => [type, sortNames(names)]));
}

function sortNames(patterns: readonly string[]): string[] {
  const globs = [...new Set(patterns)].map(parseGlob);
  const names = globs.flatMap((glob) => (typeof glob !== "string" && glob.length === 1 ? [glob[0]] : []));
  return [...new Set(names)].toSorted();
}
