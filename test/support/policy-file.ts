import { parsePolicyFile } from "../../src/domain/policies/file/policy-file.ts";
import type { PolicyRule } from "../../src/domain/policies/policy-rule.ts";

/** A file of two policies, as it is exported. */
export const POLICY_FILE = `version: 1
policies:
  - name: refunds over 500
    effect: ask
    subjects:
      - type: agent
        name: billing-*
        labels:
          team: finance
    actions:
      - tools/call
    resources:
      - type: tool
        name: stripe.refund*
    when: has(args.amount) && args.amount > 500
    approval:
      persons: 2
      ttl_s: 600
  - name: tools
    effect: allow
    actions:
      - tools/*
    enabled: false
    mode: monitor
`;

/** The rules of a valid file. */
export function parseRules(text: string): PolicyRule[] {
  const parsed = parsePolicyFile(text);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.rules;
}
