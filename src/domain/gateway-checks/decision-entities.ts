import type { DecisionEntities, DecisionEntity } from "../decisions/decision-row.ts";
import { redact } from "../kernel/redact.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Entity, EntityAgent, EvaluationRequest } from "../policies/evaluation-request.ts";
import { isEmpty } from "./entity-name.ts";
import type { AccessRequest } from "./parse-request.ts";
import { resolveEntities } from "./resolve-entities.ts";

/** Returns what a decision keeps of its subject and resource: neither need be the same later. Null if it is too large. */
export function keepEntities(asked: AccessRequest, request: EvaluationRequest): DecisionEntities | null {
  const entities = {
    subject: keepEntity(request.subject, asked.subject?.properties ?? {}),
    resource: keepEntity(request.resource, asked.resource.properties),
    ...(request.counters !== undefined && { counters: request.counters }),
  };
  return Buffer.byteLength(JSON.stringify(entities)) > LIMITS.decisionRequestBytes ? null : entities;
}

function keepEntity({ agent, properties }: Entity, given: object): DecisionEntity {
  const isStored = isEmpty(given) && !isEmpty(properties);
  // Redacting an object keeps it an object, and texts in it texts.
  return {
    agent: agent && keepAgent(agent),
    properties: isStored ? (redact(properties) as Record<string, unknown>) : null,
  };
}

function keepAgent({ id, handle, kind, version, labels }: EntityAgent): EntityAgent {
  // Redacting an object keeps it an object, and texts in it texts.
  const redacted = redact({ version, labels }) as Pick<EntityAgent, "version" | "labels">;
  return { id, handle, kind, ...redacted };
}

/** Returns a request with what was known of its subject and resource when it was decided. */
export function restoreRequest(
  asked: AccessRequest,
  { subject, resource, counters }: DecisionEntities,
  agentId: string | null,
): EvaluationRequest {
  const agents = [subject.agent, resource.agent].filter((agent) => agent !== null);
  const subjectName = asked.subject ?? { type: "agent", id: agentId ?? "" };
  const named = [
    { ...subjectName, properties: subject.properties },
    { ...asked.resource, properties: resource.properties },
  ];
  const state = {
    agents: agents.map((agent) => ({
      ...agent,
      controlState: "active" as const,
      isArchived: false,
      isStopped: false,
    })),
    entities: named.flatMap(({ properties, ...name }) =>
      properties === null ? [] : { ...name, properties },
    ),
  };
  return { ...resolveEntities(asked, state, agentId), ...(counters !== undefined && { counters }) };
}
