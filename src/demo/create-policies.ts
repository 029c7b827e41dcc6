import type { Ctx } from "../domain/kernel/context.ts";
import { createPolicy } from "../domain/policies/create-policy.ts";
import { ignoreExisting } from "./ignore-existing.ts";
import type { PolicyRuleInput } from "../domain/policies/policy-rule.ts";
import { DANGEROUS_TOOLS, READ_ONLY_TOOLS } from "../domain/policies/starter-policies.ts";

const TOOLS = { actions: ["tools/call"] };

const POLICIES: readonly PolicyRuleInput[] = [
  READ_ONLY_TOOLS,
  {
    ...DANGEROUS_TOOLS,
    description: "Deleting, paying and deploying are looked at by an operator first.",
    // Refunds have policies of their own.
    resources: ["*.delete*", "*.pay*", "*.deploy*"].map((name) => ({ type: "tool", name })),
  },
  {
    ...TOOLS,
    name: "answers to customers",
    description: "Hidden copies could carry data away.",
    effect: "allow",
    subjects: [{ type: "agent", labels: { team: "customers" } }],
    resources: [{ type: "tool", name: "mail.send_reply" }],
    when: "!has(args.bcc)",
  },
  {
    ...TOOLS,
    name: "refunds up to 500",
    effect: "allow",
    subjects: [{ type: "agent" }],
    resources: [{ type: "tool", name: "stripe.refund*" }],
    when: "has(args.amount) && args.amount <= 500",
  },
  {
    ...TOOLS,
    name: "refunds over 500",
    description: "A person looks at large refunds.",
    effect: "ask",
    resources: [{ type: "tool", name: "stripe.refund*" }],
    when: "!has(args.amount) || args.amount > 500",
    approval: { role: "operator", persons: 1, edits: true },
  },
  {
    ...TOOLS,
    name: "deployments",
    description: "Two admins look at what goes to production.",
    effect: "ask",
    resources: [{ type: "tool", name: "*.deploy*" }],
    approval: { role: "admin", persons: 2 },
  },
  {
    name: "no docking by agents at night",
    description: "Tried out: nobody is in the hall to free a robot that gets stuck.",
    effect: "deny",
    mode: "monitor",
    actions: ["robot.dock"],
    resources: [{ type: "agent", kind: "robot" }],
    when: 'now.getHours("Europe/Stockholm") < 6',
  },
];

/** Creates the demo's policies, those that are missing. */
export async function createPolicies(ctx: Ctx): Promise<void> {
  const known = new Set((await ctx.db.policy.findMany({ select: { name: true } })).map(({ name }) => name));
  for (const policy of POLICIES) {
    if (!known.has(policy.name)) await ignoreExisting(createPolicy(ctx, policy));
  }
}
