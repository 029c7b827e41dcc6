import { describe, expect, it } from "vitest";
import { findNextDigest } from "../../../src/domain/notifications/find-next-digest.ts";

function next(
  [digest, digestHour, timeZone]: ["never" | "daily" | "weekly", number, string],
  after: string,
): string | null {
  return findNextDigest({ digest, digestHour, timeZone }, new Date(after))?.toISOString() ?? null;
}

describe("findNextDigest", () => {
  it("finds the hour in the time zone, on the next day or Monday", () => {
    expect(next(["daily", 8, "UTC"], "2026-11-28T07:59:59.999Z")).toBe("2026-11-28T08:00:00.000Z");
    expect(next(["daily", 8, "UTC"], "2026-11-28T08:00:00.000Z")).toBe("2026-11-29T08:00:00.000Z");
    expect(next(["daily", 8, "Europe/Berlin"], "2026-11-28T08:00:00Z")).toBe("2026-11-29T07:00:00.000Z");
    expect(next(["daily", 8, "Asia/Kathmandu"], "2026-11-28T00:00:00Z")).toBe("2026-11-28T02:15:00.000Z");
    expect(next(["weekly", 0, "Pacific/Auckland"], "2026-11-28T00:00:00Z")).toBe("2026-11-29T11:00:00.000Z");
    expect(next(["never", 8, "UTC"], "2026-11-28T00:00:00Z")).toBeNull();
  });

  it("keeps the hour where clocks change, and has one digest a day", () => {
    const berlin: ["daily", number, string] = ["daily", 2, "Europe/Berlin"];
    // At 2:00 of March 29 it is 3:00, and 2:00 of October 25 comes twice.
    expect(next(berlin, "2026-03-28T12:00:00Z")).toBe("2026-03-29T01:00:00.000Z");
    expect(next(berlin, "2026-03-29T01:00:00Z")).toBe("2026-03-30T00:00:00.000Z");
    expect(next(berlin, "2026-10-24T12:00:00Z")).toBe("2026-10-25T00:00:00.000Z");
    expect(next(berlin, "2026-10-25T00:00:00Z")).toBe("2026-10-26T01:00:00.000Z");
  });

  it("knows every time zone that people can choose", () => {
    const after = new Date("2026-11-28T00:00:00Z");
    for (const timeZone of Intl.supportedValuesOf("timeZone")) {
      const due = findNextDigest({ digest: "daily", digestHour: 8, timeZone }, after) ?? after;
      const hour = due.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
      expect({ timeZone, hour }).toEqual({ timeZone, hour: "08:00" });
      expect(due.getTime() - after.getTime()).toBeLessThanOrEqual(86_400_000);
    }
  });
});
