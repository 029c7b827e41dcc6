import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";

/** The frames of a subscription to events. */
export type SubscriptionFrame =
  | { kind: "opened"; at: EventPosition; live: boolean }
  | { kind: "event"; event: StoredEvent }
  | { kind: "checkpoint"; at: EventPosition }
  | { kind: "reset"; at: EventPosition; reason: ResetReason };
