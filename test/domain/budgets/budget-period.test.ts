import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPeriod, findTimeZone } from "../../../src/domain/budgets/budget-period.ts";
import { runs } from "../../support/property-runs.ts";

const HOUR_MS = 3_600_000;

function show(period: Parameters<typeof findPeriod>[0], timeZone: string, at: string) {
  const { start, end } = findPeriod(period, timeZone, new Date(at));
  return [start.toISOString(), end?.toISOString() ?? null];
}

describe("findPeriod", () => {
  it.each([
    ["minute", "UTC", "2026-11-23T10:07:31.250Z", "2026-11-23T10:07:00.000Z", "2026-11-23T10:08:00.000Z"],
    ["hour", "UTC", "2026-11-23T10:07:31Z", "2026-11-23T10:00:00.000Z", "2026-11-23T11:00:00.000Z"],
    ["hour", "Asia/Kolkata", "2026-11-23T10:07:31Z", "2026-11-23T09:30:00.000Z", "2026-11-23T10:30:00.000Z"],
    ["day", "UTC", "2026-11-23T23:59:59.999Z", "2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z"],
    ["day", "UTC", "2026-11-24T00:00:00Z", "2026-11-24T00:00:00.000Z", "2026-11-25T00:00:00.000Z"],
    ["day", "Asia/Tokyo", "2026-11-23T15:00:00Z", "2026-11-23T15:00:00.000Z", "2026-11-24T15:00:00.000Z"],
    ["day", "America/Lima", "2026-11-23T04:59:59Z", "2026-11-22T05:00:00.000Z", "2026-11-23T05:00:00.000Z"],
    // Clocks go back: 25 hours, and forward: 23.
    ["day", "Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["day", "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    // Midnight is left out, and comes twice.
    ["day", "Africa/Cairo", "2026-04-24T10:00:00Z", "2026-04-23T22:00:00.000Z", "2026-04-24T21:00:00.000Z"],
    ["day", "America/Havana", "2026-11-01T04:30:00Z", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
    ["day", "America/Havana", "2026-11-01T05:30:00Z", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
    ["month", "UTC", "2026-12-31T23:59:59Z", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
    ["month", "UTC", "2028-02-29T12:00:00Z", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
    [
      "month",
      "Europe/Berlin",
      "2026-10-31T23:30:00Z",
      "2026-10-31T23:00:00.000Z",
      "2026-11-30T23:00:00.000Z",
    ],
  ] as const)("finds the %s of %s at %s", (...[period, timeZone, at, start, end]) => {
    expect(show(period, timeZone, at)).toEqual([start, end]);
  });

  it("has one that never ends", () => {
    expect(show("total", "UTC", "2026-11-23T10:07:31Z")).toEqual(["1970-01-01T00:00:00.000Z", null]);
  });

  it("has each of two hours of the same name, when clocks go back", () => {
    expect(show("hour", "Europe/Berlin", "2026-10-25T00:30:00Z")[0]).toBe("2026-10-25T00:00:00.000Z");
    expect(show("hour", "Europe/Berlin", "2026-10-25T01:30:00Z")[0]).toBe("2026-10-25T01:00:00.000Z");
  });

  it("gives every instant of a period the same one, in any zone", () => {
    const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"];
    const instants = fc.date({
      min: new Date("2000-01-01"),
      max: new Date("2040-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        fc.constantFrom("minute", "day", "month"),
        fc.constantFrom(...zones, "Africa/Cairo", "America/Havana", "Pacific/Apia"),
        instants,
        (period, timeZone, at) => {
          const found = findPeriod(period, timeZone, at);
          const { start, end } = found;
          if (end === null) throw new Error("it must end");
          expect(start <= at && at < end).toBe(true);
          expect(findPeriod(period, timeZone, start)).toEqual(found);
          expect(findPeriod(period, timeZone, new Date(end.getTime() - 1))).toEqual(found);
          expect(findPeriod(period, timeZone, end).start).toEqual(end);
          if (period === "day") expect((end.getTime() - start.getTime()) / HOUR_MS).toBeLessThanOrEqual(25);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe("findTimeZone", () => {
  it.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["UTC", "UTC"],
    ["Mars/Phobos", null],
    ["+01:00", null],
    ["", null],
    ["constructor", null],
  ])("knows %j as %j", (name, zone) => {
    expect(findTimeZone(name)).toBe(zone);
  });
});
