import type { DecisionRow } from "../decisions/decision-row.ts";
import type { Ctx } from "../kernel/context.ts";
import type { DecidedRequest } from "./decide-request.ts";
import { describeDecision } from "./describe-decision.ts";
import { type AskedDecision, summarizeDecision } from "./summarize-decision.ts";

/** Creates the row under which a decision is stored. */
export function createDecisionRow(ctx: Ctx, decided: DecidedRequest, asked: AskedDecision): DecisionRow {
  return { ...summarizeDecision(ctx, decided, asked), ...describeDecision(decided, asked.agentId) };
}
