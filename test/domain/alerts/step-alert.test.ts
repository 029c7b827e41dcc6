import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AlertCondition, type AlertProgress, stepAlert } from "../../../src/domain/alerts/step-alert.ts";

const START = new Date("2026-03-01T12:00:00Z");
const CONDITION: AlertCondition = { threshold: 10, forSeconds: 60, cooldownSeconds: 300 };

type Look = { seconds: number; value: number | null };

/** The states after looks at a metric, each so many seconds after the one before. */
function follow(condition: AlertCondition, looks: readonly Look[]): (AlertProgress & { at: Date })[] {
  let progress: AlertProgress = { state: "ok", stateSince: START, aboveSince: null };
  let now = START;
  return looks.map(({ seconds, value }) => {
    now = new Date(now.getTime() + seconds * 1000);
    progress = stepAlert(condition, progress, { value, now });
    return { ...progress, at: now };
  });
}

function listStates(condition: AlertCondition, looks: readonly Look[]): string[] {
  return follow(condition, looks).map(({ state }) => state);
}

const every30 = (...values: (number | null)[]): Look[] => values.map((value) => ({ seconds: 30, value }));

describe("an alert rule", () => {
  it("fires once the value was above the threshold for so long", () => {
    expect(listStates(CONDITION, every30(10, 11, 11, 11, 12, 11))).toEqual([
      ...["ok", "ok", "ok", "firing", "firing", "firing"],
    ]);
    expect(listStates(CONDITION, every30(11, 11, 10, 11, 11, 11))).toEqual([
      ...["ok", "ok", "ok", "ok", "ok", "firing"],
    ]);
    expect(listStates({ ...CONDITION, forSeconds: 0 }, every30(11))).toEqual(["firing"]);
  });

  it("is resolved at once, and does not fire again for its cooldown", () => {
    const looks = every30(...Array<number>(3).fill(11), 10, ...Array<number>(11).fill(11));
    expect(listStates(CONDITION, looks)).toEqual([
      ...["ok", "ok", "firing", "resolved"],
      ...Array<string>(9).fill("resolved"),
      ...["firing", "firing"],
    ]);
    expect(listStates({ ...CONDITION, cooldownSeconds: 0, forSeconds: 0 }, every30(11, 10, 10, 11))).toEqual([
      ...["firing", "resolved", "ok", "firing"],
    ]);
  });

  it("has no data without a value, and is resolved if it was firing", () => {
    expect(listStates({ ...CONDITION, forSeconds: 0 }, every30(null, 11, null, null))).toEqual([
      ...["no_data", "firing", "resolved", "resolved"],
    ]);
    expect(listStates({ ...CONDITION, forSeconds: 0, cooldownSeconds: 30 }, every30(11, null, null))).toEqual(
      ["firing", "resolved", "no_data"],
    );
  });

  it("does so for any values at any times", () => {
    const look = fc.record({
      seconds: fc.integer({ min: 1, max: 200 }),
      value: fc.option(fc.integer({ min: 8, max: 12 })),
    });
    const condition = fc.record({
      threshold: fc.constant(10),
      forSeconds: fc.nat(200),
      cooldownSeconds: fc.nat(400),
    });
    fc.assert(
      fc.property(condition, fc.array(look, { maxLength: 40 }), (given, looks) => {
        expect(listStates(given, looks)).toEqual(predict(given, looks));
      }),
    );
  });
});

/** The same, worked out from the whole past at each look. */
function predict(
  { threshold, forSeconds, cooldownSeconds }: AlertCondition,
  looks: readonly Look[],
): string[] {
  const times: number[] = [];
  for (const { seconds } of looks) times.push((times.at(-1) ?? 0) + seconds);
  const isAbove = looks.map(({ value }) => value !== null && value > threshold);
  const states: string[] = [];
  let resolvedAt = -Infinity;
  for (const [nth, { value }] of looks.entries()) {
    const now = times[nth] ?? 0;
    const wasFiring = states.at(-1) === "firing";
    const begin = isAbove.lastIndexOf(false, nth) + 1;
    const isLongEnough = begin <= nth && now - (times[begin] ?? 0) >= forSeconds;
    if (wasFiring && isAbove[nth] === true) states.push("firing");
    else if (wasFiring) {
      resolvedAt = now;
      states.push("resolved");
    } else if (now - resolvedAt < cooldownSeconds) states.push("resolved");
    else if (isLongEnough) states.push("firing");
    else states.push(value === null ? "no_data" : "ok");
  }
  return states;
}
