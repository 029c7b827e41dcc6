import type { SearchKind } from "./search-query.ts";

type FoundKind = {
  kind: string;
  /** What asks for it. */
  words: RegExp;
  /** Where its pages are. */
  place: string;
  /** Whether there are many, so that their age tells them apart. */
  isWork?: boolean;
};

/** How a kind of thing is called and found. */
export const FOUND_KINDS: Readonly<Record<SearchKind, FoundKind>> = {
  AGENT: { kind: "Agent", words: /^agents?$/, place: "/agents/" },
  ROBOT: { kind: "Robot", words: /^robots?$/, place: "/robots/" },
  TASK: { kind: "Task", words: /^tasks?$/, place: "/tasks/", isWork: true },
  MISSION: { kind: "Mission", words: /^missions?$/, place: "/missions/", isWork: true },
  AGENT_COMMAND: { kind: "Command", words: /^commands?$/, place: "/commands/", isWork: true },
  EVAL_RUN: { kind: "Evaluation", words: /^(evaluation|eval|run)s?$/, place: "/evaluations/", isWork: true },
  CONVERSATION: { kind: "Conversation", words: /^conversations?$/, place: "/conversations/", isWork: true },
  MEMBER: { kind: "Member", words: /^(member|user)s?$/, place: "/settings/members/" },
  POLICY: { kind: "Policy", words: /^polic(y|ies)$/, place: "/policies/" },
  BUDGET: { kind: "Budget", words: /^budgets?$/, place: "/budgets/" },
  ALERT_RULE: { kind: "Alert rule", words: /^alerts?$/, place: "/alerts/" },
  MCP_SERVER: { kind: "MCP server", words: /^(mcp|servers?)$/, place: "/mcp-servers/" },
  DECISION: { kind: "Decision", words: /^decisions?$/, place: "/decisions/", isWork: true },
  APPROVAL: { kind: "Approval", words: /^approvals?$/, place: "/approvals/", isWork: true },
  EXECUTION: { kind: "Execution", words: /^executions?$/, place: "/executions/", isWork: true },
  TRACE: { kind: "Trace", words: /^traces?$/, place: "/traces/", isWork: true },
};
