import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "./compile-policy.ts";
import { parseGlob } from "../kernel/glob.ts";
import { COMMANDS } from "./match-scope.ts";

/** What the scopes of enforced policies name without stars; subjects and resources by type. Without duplicates. */
export type PolicyNames = {
  subject: ReadonlyMap<string, readonly string[]>;
  resource: ReadonlyMap<string, readonly string[]>;
  action: readonly string[];
};

export function* listPolicyNames(policies: readonly CompiledPolicy[]): Steps<PolicyNames> {
  const [subjects, resources, actions] = [createLists(), createLists(), createLists()];
  for (const { mode, rule } of policies) {
    yield;
    if (mode !== "enforce") continue;
    for (const { type, name } of rule.subjects ?? []) subjects.add(type, name);
    for (const { type, name } of rule.resources ?? []) resources.add(type, name);
    for (const name of rule.actions) if (name !== COMMANDS) actions.add("", name);
  }
  return { subject: subjects.byType, resource: resources.byType, action: actions.byType.get("") ?? [] };
}

/** Lists of names by type. */
function createLists() {
  const byType = new Map<string, string[]>();
  const known = new Map<string, Set<string>>();
  return {
    byType,
    add: (type: string, pattern: string | undefined) => {
      const glob = pattern === undefined ? [] : parseGlob(pattern);
      if (typeof glob === "string" || glob.length !== 1) return;
      const [name] = glob;
      const list = byType.get(type) ?? [];
      const names = known.get(type) ?? new Set();
      if (name === undefined || names.has(name)) return;
      byType.set(type, list);
      known.set(type, names.add(name));
      list.push(name);
    },
  };
}
