import type { PolicyRuleInput } from "./policy-rule.ts";

/** Allows agents to call tools that only read, by their names. */
export const READ_ONLY_TOOLS: PolicyRuleInput = {
  name: "read-only tools",
  description: "Whatever only reads is fine for every agent.",
  effect: "allow",
  subjects: [{ type: "agent" }],
  actions: ["tools/call"],
  resources: ["*.get*", "*.list*", "*.read*", "*.search*"].map((name) => ({ type: "tool", name })),
};

/** Asks an operator about tools that do harm if they are misused, by their names. */
export const DANGEROUS_TOOLS: PolicyRuleInput = {
  name: "dangerous tools",
  description: "Deleting, paying, refunding and deploying are looked at by an operator first.",
  effect: "ask",
  actions: ["tools/call"],
  resources: ["*.delete*", "*.pay*", "*.refund*", "*.deploy*"].map((name) => ({ type: "tool", name })),
  approval: { role: "operator" },
};

/** What a new workspace starts with. Admins change or delete them as all others. */
export const STARTER_POLICIES: readonly PolicyRuleInput[] = [READ_ONLY_TOOLS, DANGEROUS_TOOLS];
