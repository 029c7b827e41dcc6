import type { DecisionOutcome, DecisionReason, PolicyEffect, PolicyMode } from "../../db/generated/enums.ts";
import type { ExceededBudget } from "../kernel/errors.ts";
import type { AgentCounters, EntityAgent } from "../policies/evaluation-request.ts";

/** A policy whose scope a request was in, as it is stored with a decision. */
export type MatchedPolicy = {
  id: string;
  generation: number;
  name: string;
  effect: PolicyEffect;
  mode: PolicyMode;
  /** Whether its condition held, or the code of the error for which that can't be said. */
  result: boolean | string;
  /** Whether it made the outcome. */
  decided: boolean;
};

/** What was known of a decision's subject and resource, without secrets, and of what the agent did before. */
export type DecisionEntities = {
  subject: DecisionEntity;
  resource: DecisionEntity;
  /** Missing if no policy read them. */
  counters?: Partial<AgentCounters>;
};

/** `properties` are the stored ones, if the request gave none; null if they were not needed. */
export type DecisionEntity = { agent: EntityAgent | null; properties: Record<string, unknown> | null };

/** What is known of each decision, also of those that are not stored. Instants are ISO 8601. */
export type DecisionSummary = {
  workspaceId: string;
  /** A UUIDv7 of `createdAt`. */
  id: string;
  /** Null for a person, who is the subject. */
  agentId: string | null;
  /** `name` is a person's. */
  subject: { type: string; id: string; name?: string } | null;
  action: string;
  resourceType: string;
  resourceId: string;
  outcome: DecisionOutcome;
  reason: DecisionReason;
  /** The generation of the workspace's policies; null if they were not asked. */
  gateGeneration: number | null;
  /** How many policies there were, and in the scope of how many the request was. */
  policyCount: number | null;
  consideredCount: number | null;
  /** Those that decided, then those whose condition held or can't be evaluated. */
  matched: MatchedPolicy[];
  would: DecisionOutcome | null;
  /** The budget without room, for which it is denied. */
  budget: ExceededBudget | null;
  /** The approval that was asked for or used, and the execution that it opened. */
  approvalId: string | null;
  executionId: string | null;
  taskId: string | null;
  traceId: string | null;
  /** The span of the trace that asked for it. */
  parentSpanId: string | null;
  requestId: string | null;
  latencyUs: number;
  createdAt: string;
};

/** What only stored decisions have: it costs more than the decision. */
export type DecisionDetails = {
  /** {@link DecisionSummary.matched}, then those whose condition did not hold. At most 50. */
  matched: MatchedPolicy[];
  /** Without secrets; null if it is too large. */
  request: unknown;
  /** Null if they are too large. */
  entities: DecisionEntities | null;
  /** In hex. */
  requestHash: string;
};

/** A decision to store. */
export type DecisionRow = DecisionSummary & DecisionDetails;
