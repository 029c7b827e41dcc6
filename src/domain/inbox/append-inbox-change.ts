import type { Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";

/** Appends the event and the audit row of a change of what a person archived. */
export function appendInboxChange(
  tx: Transaction,
  what: "archived" | "unarchived",
  { userId, key }: { userId: string; key: string },
): void {
  const type = `inbox_item.${what}`;
  append(tx, {
    events: [{ type, subjectType: "inbox_item", subjectId: userId, data: { key } }],
    audit: [{ action: type, targetType: "user", targetId: userId, changes: { key } }],
  });
}
