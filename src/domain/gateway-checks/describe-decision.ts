import type { DecisionDetails } from "../decisions/decision-row.ts";
import { redact } from "../kernel/redact.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { DecidedRequest } from "./decide-request.ts";
import { keepEntities } from "./decision-entities.ts";
import { bindVerdict, hashRequest } from "./hash-request.ts";
import { listMatched } from "./list-matched.ts";

/** Describes what a decision is about. `agentId` is the agent that asked; null for a person. */
export function describeDecision(
  { asked, request, verdict }: Pick<DecidedRequest, "asked" | "request" | "verdict">,
  agentId: string | null,
): DecisionDetails {
  const isTruncated = Buffer.byteLength(JSON.stringify(asked)) > LIMITS.decisionRequestBytes;
  return {
    matched: listMatched(verdict),
    request: isTruncated ? null : redact(asked),
    entities: keepEntities(asked, request),
    requestHash: hashRequest(asked, bindVerdict(agentId, verdict)),
  };
}
