import { describe, expect, it } from "vitest";
import { findNearest } from "../../../src/domain/kernel/find-nearest.ts";

const KNOWN = ["title", "queue", "priority", "runAfter", "maxAttempts", "idle", "a"];

describe("findNearest", () => {
  it.each([
    ["a wrong letter", "priorety", "priority"],
    ["a missing letter", "ttle", "title"],
    ["letters too many", "titlees", "title"],
    ["two swapped letters", "qeuue", "queue"],
    ["another case and separators", "RUN_after", "runAfter"],
    ["a dash", "max-attempts", "maxAttempts"],
  ])("corrects %s", (_what, given, meant) => {
    expect(findNearest(given, KNOWN)).toBe(meant);
  });

  it("returns the nearest of several, not the first", () => {
    expect(findNearest("tasks", ["taken", "tests", "task", "tusk"])).toBe("task");
    expect(findNearest("task", ["tusks", "tasks"])).toBe("tasks");
  });

  it.each([
    ["three edits", "priorexxx"],
    ["letters that are too many", "titleness"],
    ["half of its letters or more", "b"],
    ["an empty name", ""],
    ["another word", "deadline"],
  ])("returns null for %s", (_what, given) => {
    expect(findNearest(given, KNOWN)).toBeNull();
  });

  it("returns null if fewer than half of the letters are right", () => {
    expect(findNearest("abxy", ["ab"])).toBeNull();
    expect(findNearest("abcxy", ["abcde"])).toBe("abcde");
    expect(findNearest("abxy", ["abcd"])).toBeNull();
  });

  it("compares names of up to 48 characters", () => {
    const long = "a".repeat(48);
    expect(findNearest(long, [`${long}s`])).toBe(`${long}s`);
    expect(findNearest(`${long}s`, [long])).toBeNull();
  });
});
