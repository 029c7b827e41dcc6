import { describe, expect, it } from "vitest";
import { toAlertChanges, toWatchedInput } from "../../src/dashboard/views/alerts/form/alert-input.ts";
import {
  EMPTY_ALERT,
  type TypedAlert,
  toMetricFields,
} from "../../src/dashboard/views/alerts/form/typed-alert.ts";
import { COOLDOWN_RANGE, FOR_RANGE, METRICS } from "../../src/dashboard/views/alerts/alert-metrics.ts";
import { formatValue } from "../../src/dashboard/views/alerts/words/format-value.ts";
import { describeWaiting, getShownState } from "../../src/dashboard/views/alerts/words/shown-state.ts";
import { toSeconds, toTypedDuration } from "../../src/dashboard/ui/form/typed-duration.ts";
import { ALERT_METRICS } from "../../src/domain/alerts/alert-metrics.ts";
import { COOLDOWN_SECONDS, FOR_SECONDS } from "../../src/domain/alerts/alert-rule.ts";

describe("the dashboard's metrics of alert rules", () => {
  it("are those of the server, with its units, windows and filters", () => {
    const known = Object.entries(ALERT_METRICS).map(([name, { unit, window, filters }]) => [
      name.toUpperCase(),
      { unit, window, filters },
    ]);
    const shown = Object.entries(METRICS).map(([name, { unit, window, filters }]) => {
      if (window === null) return [name, { unit, window, filters }];
      const { default: seconds, ...range } = window;
      expect(seconds % range.step).toBe(0);
      expect(seconds).toBeGreaterThanOrEqual(range.min);
      expect(seconds).toBeLessThanOrEqual(range.max);
      return [name, { unit, window: range, filters }];
    });
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(known));
  });

  it("have the server's bounds of times", () => {
    expect(FOR_SECONDS).toMatchObject({ min: FOR_RANGE.min, max: FOR_RANGE.max });
    expect(COOLDOWN_SECONDS).toMatchObject({ min: COOLDOWN_RANGE.min, max: COOLDOWN_RANGE.max });
    expect(toSeconds(EMPTY_ALERT.for)).toBe(FOR_SECONDS.default);
    expect(toSeconds(EMPTY_ALERT.cooldown)).toBe(COOLDOWN_SECONDS.default);
  });

  it.each([
    ["TASK_FAILURE_RATE", 0.125, "12.5 %"],
    ["TASK_FAILURE_RATE", 0.07, "7 %"],
    ["COST_USD", 4.2, "$4.20"],
    ["QUEUE_AGE", 200.4, "3 min 20 s"],
    ["COMMAND_ACK_P95", 0.0436, "0.04 s"],
    ["QUEUE_DEPTH", 1204, "1,204"],
  ] as const)("have values for people: %s %d is %s", (metric, value, text) => {
    expect(formatValue(metric, value)).toBe(text);
  });
});

describe("the state of an alert rule for people", () => {
  const rule = {
    ...{ enabled: true, state: "OK" as const, value: 3, threshold: 2 },
    ...{ forSeconds: 120, cooldownSeconds: 300 },
  };

  it("tells rules that nobody has looked at from those that are fine", () => {
    expect(getShownState(rule)).toBe("OK");
    expect(getShownState({ ...rule, value: null })).toBe("NOT_READ_YET");
    expect(getShownState({ ...rule, value: null, state: "NO_DATA" })).toBe("NO_DATA");
    expect(getShownState({ ...rule, enabled: false })).toBe("DISABLED");
  });

  it("says why a rule does not fire although its value is above the threshold", () => {
    expect(describeWaiting(rule)).toBe("above, not yet for 2 min");
    expect(describeWaiting({ ...rule, state: "RESOLVED" })).toBe("above, not again for 5 min");
    expect(describeWaiting({ ...rule, state: "FIRING" })).toBeNull();
    expect(describeWaiting({ ...rule, value: 2 })).toBeNull();
    expect(describeWaiting({ ...rule, enabled: false })).toBeNull();
  });
});

describe("what is entered of an alert rule", () => {
  function read(typed: Partial<TypedAlert>) {
    const { changes, problem } = toAlertChanges({ ...EMPTY_ALERT, name: "a rule", ...typed });
    return { changes, fields: problem?.fields ?? {} };
  }

  it("is a share in percent, a time in its unit, or a number", () => {
    expect(read({ amount: " 7 " }).changes).toMatchObject({ threshold: 0.07, windowSeconds: 900 });
    const time = { amount: "1.5", unit: "3600" };
    const age = read({ ...toMetricFields("QUEUE_AGE"), time });
    expect(age).toMatchObject({ changes: { threshold: 5400 }, fields: {} });
    expect(age.changes).not.toHaveProperty("windowSeconds");
    expect(read({ ...toMetricFields("COST_USD"), amount: "0.5" }).changes).toMatchObject({
      threshold: 0.5,
      windowSeconds: 86_400,
    });
  });

  it.each([
    [{ amount: "" }, "threshold"],
    [{ amount: "a lot" }, "threshold"],
    [{ amount: "-1" }, "threshold"],
    [{ amount: "100" }, "threshold"],
    [{ amount: "1", window: { amount: "30", unit: "1" } }, "windowSeconds"],
    [{ amount: "1", window: { amount: "90", unit: "1" } }, "windowSeconds"],
    [{ amount: "1", window: { amount: "2", unit: "86400" } }, "windowSeconds"],
    [{ amount: "1", for: { amount: "", unit: "60" } }, "forSeconds"],
    [{ amount: "1", for: { amount: "0.5", unit: "1" } }, "forSeconds"],
    [{ amount: "1", cooldown: { amount: "8", unit: "86400" } }, "cooldownSeconds"],
  ])("is refused where it is wrong: %o in %s", (typed, field) => {
    expect(Object.keys(read(typed).fields)).toEqual([field]);
  });

  it("has no filter that the metric does not have", () => {
    const typed = { ...EMPTY_ALERT, scope: "LABEL", label: "team", labelValue: "a", queue: "q" };
    expect(toWatchedInput(typed)).toEqual({
      metric: "TASK_FAILURE_RATE",
      watched: { label: "team", labelValue: "a", queue: "q" },
    });
    expect(toWatchedInput({ ...typed, metric: "COST_USD" })).toEqual({ metric: "COST_USD", watched: {} });
  });
});

describe("entered durations", () => {
  it.each([
    [0, "0", "1"],
    [45, "45", "1"],
    [900, "15", "60"],
    [5400, "90", "60"],
    [7200, "2", "3600"],
    [0.5, "0.5", "1"],
  ])("are %d seconds as %s times %s", (seconds, amount, unit) => {
    expect(toTypedDuration(seconds)).toEqual({ amount, unit });
    expect(toSeconds({ amount, unit })).toBe(seconds);
  });

  it.each(["", " ", "x", "-1", "1e999"])("are not %o", (amount) => {
    expect(toSeconds({ amount, unit: "60" })).toBeNull();
  });
});
