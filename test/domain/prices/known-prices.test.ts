import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/db/sql.ts";
import { rememberPrices } from "../../../src/domain/prices/known-prices.ts";
import { findHolding } from "../../../src/domain/prices/own-prices.ts";

const ROW = {
  ...{ id: "a", provider: "*", model: "m", validFrom: new Date(0) },
  ...{ inputPico: 1n, outputPico: 2n, cacheReadPico: null, cacheWritePico: null, cacheWrite1hPico: null },
  tiers: "[]",
};

/** A database with one price, whose first readings fail as often as said. */
function createDatabase(failures = 0) {
  const counted = { reads: 0 };
  const run = async ({ text }: { text: string }) => {
    if (!text.includes("FROM model_price")) return [{ version: 1n }];
    counted.reads++;
    if (counted.reads <= failures) throw new Error("gave up");
    return [ROW];
  };
  // It answers the two statements that are asked.
  return { counted, run: run as unknown as Run };
}

describe("rememberPrices", () => {
  it("reads a workspace's prices once, however many ask at once", async () => {
    const { counted, run } = createDatabase();
    const prices = rememberPrices();
    const lists = await Promise.all(Array.from({ length: 100 }, () => prices.get("w", run)));
    expect(counted.reads).toBe(1);
    expect(findHolding(lists[99]?.(null, "m") ?? [], new Date())?.id).toBe("a");
  });

  it("reads them for the others if whoever began fails", async () => {
    const { counted, run } = createDatabase(1);
    const prices = rememberPrices();
    const asked = await Promise.allSettled(Array.from({ length: 100 }, () => prices.get("w", run)));
    expect(asked.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(counted.reads).toBe(2);
  });
});
