import { describe, expect, it } from "vitest";
import { jsonProblem } from "../../../src/domain/kernel/input.ts";

describe("jsonProblem", () => {
  it("stops reading a value that has more parts than bytes are allowed", () => {
    let read = 0;
    const element = {
      get inner() {
        read++;
        return 0;
      },
    };
    const list = Array.from({ length: 10_000 }, () => element);
    expect(jsonProblem(list, 100)).toBe("must have at most 100 bytes as JSON");
    expect(read).toBeLessThanOrEqual(100);
  });

  it.each([
    [[1, 2, 3], 7, null],
    [[1, 2, 3], 6, "must have at most 6 bytes as JSON"],
    ["x".repeat(98), 100, null],
    ["x".repeat(99), 100, "must have at most 100 bytes as JSON"],
    [[], 2, null],
    [1e20, 21, null],
    [1e21, 21, "must have at most 21 bytes as JSON"],
  ])("counts bytes: %j, %i", (value, bytes, problem) => {
    expect(jsonProblem(value, bytes)).toBe(problem);
  });
});
