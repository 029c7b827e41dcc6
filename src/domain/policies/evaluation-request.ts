import type { Role } from "../kernel/scopes.ts";

/** What is known of an agent that is a subject or a resource. */
export type EntityAgent = {
  id: string;
  handle: string;
  kind: "software" | "robot";
  version: string | null;
  labels: Record<string, string>;
};

/** A question to the policies: may this subject do this to that resource? Properties are the caller's words. */
export type EvaluationRequest = {
  /** `role` is that of a person of the workspace. */
  subject: Entity & { role: Role | null };
  /** `isCommand`: a command to an agent, or a mission. */
  action: { name: string; isCommand: boolean; properties: Record<string, unknown> };
  resource: Entity;
  context: Record<string, unknown>;
  /** Missing if no policy reads them, or if they are not known. Stored ones lack those that were added later: 0. */
  counters?: Partial<AgentCounters>;
};

/** What the agent that asks did of late. Behind by up to two seconds. */
export type AgentCounters = {
  /** Its checks in the last 60 seconds, where those of the minute before count by its part. */
  callsLastMinute: number;
  /** Its denials in the last 60 minutes. */
  denialsLastHour: number;
  /** What was charged today (UTC) for its calls of models: a millionth of a dollar that is begun counts. */
  costTodayMicroUsd: number;
  /** The input and output tokens of these calls. */
  tokensToday: number;
};

/** Of somebody who did nothing. */
export const NO_COUNTERS: AgentCounters = {
  callsLastMinute: 0,
  denialsLastHour: 0,
  costTodayMicroUsd: 0,
  tokensToday: 0,
};

/** `agent` is null if it is something else. */
export type Entity = {
  type: string;
  id: string;
  agent: EntityAgent | null;
  properties: Record<string, unknown>;
};
