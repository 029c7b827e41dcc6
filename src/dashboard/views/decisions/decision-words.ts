import { toWords } from "../../ui/words.ts";

export const OUTCOMES = ["ALLOW", "DENY", "ASK"] as const;

export type Outcome = (typeof OUTCOMES)[number];

const REASONS: Readonly<Record<string, string>> = {
  POLICY_ALLOW: "A policy allows it.",
  DEFAULT_ALLOW: "No policy denies it or asks about it, and that is enough by default.",
  APPROVAL_REQUIRED: "A person has to approve it first.",
  POLICY_DENY: "A policy denies it.",
  POLICY_ERROR: "The condition of a policy that denies or asks couldn’t be evaluated.",
  DEFAULT_DENY: "No policy allows it.",
  ARGUMENTS_MISSING: "The request has no arguments, but a policy that denies or asks reads them.",
  REQUEST_UNUSABLE: "The request is too large to be judged.",
  BUDGET_EXCEEDED: "A budget has no room.",
  AGENT_PAUSED: "The agent was paused.",
  AGENT_STOPPED: "The agent was stopped.",
  EMERGENCY_STOP: "An emergency stop covered the agent.",
  APPROVAL_GRANTED: "A person approved it.",
  APPROVAL_DENIED: "A person denied it.",
  APPROVAL_EXPIRED: "The approval has expired, is used up or is void.",
  APPROVAL_UNVERIFIABLE: "There is no such approval for the agent.",
  OUT_OF_SCOPE: "The approval is for another request.",
  TOOL_UNREVIEWED: "No admin had approved the tool as it was.",
  TOOL_BLOCKED: "An admin had blocked the tool.",
};

/** Why the gateway decided so, as a sentence. */
export function explainReason(reason: string): string {
  return REASONS[reason] ?? toWords(reason);
}

const WOULD: Readonly<Record<Outcome, string>> = {
  ALLOW: "would be allowed",
  DENY: "would be denied",
  ASK: "would be asked about",
};

/** The outcome if monitored policies counted. */
export function describeWould(would: Outcome): string {
  return WOULD[would];
}
