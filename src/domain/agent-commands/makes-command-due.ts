import type { StoredEvent } from "../event-log/stored-event.ts";

/** The ends of a command that had not been acknowledged: what stands behind it may come. */
const NOT_ACKNOWLEDGED: ReadonlySet<unknown> = new Set(["rejected", "expired", "canceled"]);

/** Whether what an event tells of may have made a command of its agent's due. */
export function makesCommandDue({ type, data }: Pick<StoredEvent, "type" | "data">): boolean {
  switch (type) {
    case "agent_command.created":
    case "agent_command.acknowledged":
      return true;
    case "agent_command.updated":
      return statusOf(data) === "queued";
    case "agent_command.finished":
      return NOT_ACKNOWLEDGED.has(statusOf(data));
    default:
      return false;
  }
}

function statusOf(data: unknown): unknown {
  return typeof data === "object" && data !== null && "status" in data ? data.status : null;
}
