import type { StoredEvent } from "../../src/domain/event-log/stored-event.ts";

/** An event that was never written. */
export function storedEvent(of: Partial<StoredEvent> = {}): StoredEvent {
  return {
    ...{ epoch: crypto.randomUUID(), seq: 1, id: crypto.randomUUID(), type: "task.created" },
    ...{ subjectType: "task", subjectId: crypto.randomUUID(), agentId: crypto.randomUUID() },
    ...{ data: {}, traceparent: null, occurredAt: "2026-01-01T00:00:00.000Z" },
    actor: { type: "system", id: null, name: "test" },
    ...of,
  };
}
