import { describe, expect, it } from "vitest";
import { type StatusSource, robotStatus } from "../../../src/domain/robots/report-change.ts";

const WELL: StatusSource = {
  isSilent: false,
  charging: false,
  driving: false,
  paused: false,
  executing: false,
  emergencyStop: "none",
  fieldViolation: false,
  errors: [],
};

/** Each hides those below it. */
const CAUSES: [status: string, cause: Partial<StatusSource>][] = [
  ["offline", { isSilent: true }],
  ["error", { errors: [{ level: "warning" }, { level: "fatal" }] }],
  ["error", { errors: [{ level: "critical" }] }],
  ["error", { emergencyStop: "manual" }],
  ["error", { emergencyStop: "remote" }],
  ["error", { fieldViolation: true }],
  ["charging", { charging: true }],
  ["paused", { paused: true }],
  ["executing", { driving: true }],
  ["executing", { executing: true }],
  ["idle", { errors: [{ level: "warning" }, { level: "urgent" }] }],
  ["idle", {}],
];

describe("robotStatus", () => {
  it.each(CAUSES)("is %s for %j", (status, cause) => {
    expect(robotStatus({ ...WELL, ...cause })).toBe(status);
  });

  it("is the first matching one of any two", () => {
    for (const [index, [status, first]] of CAUSES.entries()) {
      for (const [, second] of CAUSES.slice(index + 1)) {
        const errors = [...(first.errors ?? []), ...(second.errors ?? [])];
        expect(robotStatus({ ...WELL, ...second, ...first, errors }), JSON.stringify([first, second])).toBe(
          status,
        );
      }
    }
  });
});
