import type { SearchKind } from "./search-query.ts";

/** How a kind of thing is called, the words that ask for it, and where its pages are. */
export const FOUND_KINDS: Readonly<Record<SearchKind, { kind: string; words: RegExp; place: string }>> = {
  AGENT: { kind: "Agent", words: /^agents?$/, place: "/agents/" },
  ROBOT: { kind: "Robot", words: /^robots?$/, place: "/robots/" },
  TASK: { kind: "Task", words: /^tasks?$/, place: "/tasks/" },
  MISSION: { kind: "Mission", words: /^missions?$/, place: "/missions/" },
  AGENT_COMMAND: { kind: "Command", words: /^commands?$/, place: "/commands/" },
  EVAL_RUN: { kind: "Evaluation", words: /^(evaluation|eval|run)s?$/, place: "/evaluations/" },
  CONVERSATION: { kind: "Conversation", words: /^conversations?$/, place: "/conversations/" },
  MEMBER: { kind: "Member", words: /^(member|user)s?$/, place: "/settings/members/" },
  POLICY: { kind: "Policy", words: /^polic(y|ies)$/, place: "/policies/" },
  BUDGET: { kind: "Budget", words: /^budgets?$/, place: "/budgets/" },
  ALERT_RULE: { kind: "Alert rule", words: /^alerts?$/, place: "/alerts/" },
  MCP_SERVER: { kind: "MCP server", words: /^(mcp|servers?)$/, place: "/mcp-servers/" },
  DECISION: { kind: "Decision", words: /^decisions?$/, place: "/decisions/" },
  APPROVAL: { kind: "Approval", words: /^approvals?$/, place: "/approvals/" },
  EXECUTION: { kind: "Execution", words: /^executions?$/, place: "/executions/" },
  TRACE: { kind: "Trace", words: /^traces?$/, place: "/traces/" },
};
