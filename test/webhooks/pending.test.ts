import { describe, expect, it } from "vitest";
import { toWaiting } from "../../src/webhooks/deliver-chains.ts";
import type { PendingDelivery } from "../../src/webhooks/endpoint-statements.ts";
import { type Pending, applyRecords, findNextDueMs } from "../../src/webhooks/pending.ts";

const SUBJECT = "0b8f7a0e-6f8e-4f0e-9b57-3f2d5a6f7c10";

function create(seq: number, dueInMs: number | null): PendingDelivery {
  const event = { eventId: `event ${seq}`, seq, eventType: "task.created", subjectId: SUBJECT };
  return { ...event, body: "{}", attempts: 1, dueInMs };
}

describe("applyRecords", () => {
  const before: Pending = {
    deliveries: [create(1, 0), create(2, null), create(4, 5000)],
    readAtMs: 1000,
    isWhole: true,
  };

  it("is what would be read: without what was delivered, with what failed and what is new, in the log's order", () => {
    const [first, second] = [create(1, 0), create(2, null)];
    const after = applyRecords(
      before,
      [
        { ...toWaiting(first), status: "delivered", attempts: 2 },
        { ...toWaiting(second), attempts: 2, next_in_ms: 300_000 },
        toWaiting({ ...create(3, null), attempts: 0 }),
      ],
      3000,
    );
    expect(after).toEqual({
      deliveries: [
        { ...second, attempts: 2, dueInMs: 300_000 },
        { ...create(3, null), attempts: 0 },
        create(4, 3000),
      ],
      readAtMs: 3000,
      isWhole: true,
    });
    expect(findNextDueMs(after)).toBe(6000);
  });

  it("is empty once all are delivered", () => {
    const records = before.deliveries.map((one) => ({ ...toWaiting(one), status: "delivered" as const }));
    expect(findNextDueMs(applyRecords(before, records, 3000))).toBe(Infinity);
  });
});
