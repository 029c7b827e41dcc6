import type { StoredEvent } from "../event-log/stored-event.ts";
import type { ActorRecord } from "../kernel/actor.ts";
import { eventCursor } from "../kernel/cursors.ts";
import { LIMITS } from "../kernel/limits.ts";

const SEQUENCE_DIGITS = 20;

/**
 * Writes an event as a CloudEvent in JSON, of at most 64 KiB: `data` is the event as GET /api/v1/events shows it. The
 * data of a larger event is left out, and `dataomitted` is true.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
export function renderCloudEvent(workspaceId: string, event: StoredEvent): string {
  const { epoch, seq, id, type, subjectType, subjectId, agentId, actor, traceparent, occurredAt } = event;
  const told = {
    cursor: eventCursor(epoch, BigInt(seq)),
    seq,
    id,
    type,
    subject_type: subjectType,
    subject_id: subjectId,
    agent_id: agentId,
    actor,
    data: event.data,
    traceparent,
    occurred_at: occurredAt,
  };
  const head = {
    ...writeHead({ workspaceId, id, type, subject: subjectId, time: occurredAt }),
    sequence: String(seq).padStart(SEQUENCE_DIGITS, "0"),
    ...(traceparent !== null && { traceparent }),
  };
  const body = JSON.stringify({ ...head, data: told });
  if (Buffer.byteLength(body) <= LIMITS.webhookBodyBytes) return body;
  return JSON.stringify({ ...head, dataomitted: true, data: { ...told, data: null } });
}

type TestEvent = { workspaceId: string; endpointId: string; eventId: string; actor: ActorRecord; at: Date };

/** Writes an event that is not in the log, with which people try an endpoint. */
export function renderTestEvent({ workspaceId, endpointId, eventId: id, actor, at }: TestEvent): string {
  const type = "webhook_endpoint.test";
  const time = at.toISOString();
  const subject = { subject_type: "webhook_endpoint", subject_id: endpointId };
  return JSON.stringify({
    ...writeHead({ workspaceId, id, type, subject: endpointId, time }),
    data: { id, type, ...subject, agent_id: null, actor, data: {}, occurred_at: time },
  });
}

function writeHead({
  workspaceId,
  ...named
}: {
  workspaceId: string;
  id: string;
  type: string;
  subject: string;
  time: string;
}) {
  return {
    specversion: "1.0",
    source: `urn:uuid:${workspaceId}`,
    datacontenttype: "application/json",
    ...named,
  };
}
