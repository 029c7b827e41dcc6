import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  jsonProblem,
  labels,
  name,
  nameInEmails,
  parseInput,
  text,
} from "../../../src/domain/kernel/input.ts";

const shape = name(20);

describe("name", () => {
  it.each([
    ["Ada", "Ada"],
    ["  Ada  Lovelace\n", "Ada  Lovelace"],
    ["Åse O\u2019Neill-\u5c71\u7530", "Åse O\u2019Neill-\u5c71\u7530"],
    ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ["\ud83d\udc69\u200d\ud83d\ude80", "\ud83d\udc69\u200d\ud83d\ude80"],
    [` ${"a".repeat(20)} `, "a".repeat(20)],
    ["see https://x", "see https://x"],
  ])("trims %j", (typed, kept) => {
    expect(shape.parse(typed)).toBe(kept);
  });

  it.each([
    ["nothing", ""],
    ["blanks", " \t\u00a0\u3000"],
    ["only a joiner", "\u200d"],
    ["a line break", "Ada\nAdmin"],
    ["a tab", "Ada\tAdmin"],
    ["a line separator", "Ada\u2028Admin"],
    ["an escape", "Ada\u001b[31m"],
    ["a C1 control", "Ada\u0085Admin"],
    ["NUL", "A\0da"],
    ["a right-to-left override", "Ada\u202egnp.exe"],
    ["an isolate", "\u2067Ada"],
    ["a zero-width space", "Ad\u200ba"],
    ["a byte order mark inside", "A\ufeffda"],
    ["a soft hyphen", "A\u00adda"],
    ["a tag", "Ada\u{e0041}"],
    ["half a surrogate pair", "Ada\ud83d"],
    ["a text that is too long", "a".repeat(21)],
  ])("rejects %s", (_what, typed) => {
    expect(shape.safeParse(typed).success).toBe(false);
  });
});

describe("nameInEmails", () => {
  it("is a name without links", () => {
    expect(nameInEmails(20).parse(" Ada: 1/2 ")).toBe("Ada: 1/2");
    for (const typed of ["https://evil.test", "Win! HTTP://x.test", "A\u202eda", " "]) {
      expect(nameInEmails(20).safeParse(typed).success).toBe(false);
    }
  });
});

describe("labels", () => {
  it("are counted before they are checked", () => {
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`name ${n}`, n]));
    const { error } = labels.safeParse(many);
    expect(error?.issues.map(({ message }) => message)).toEqual(["must have at most 32 entries"]);
  });

  it.each([
    ["a list", ["a"], "must be an object of strings"],
    ["an empty name", { "": "a" }, "must have names of 1 to 64 characters"],
    ["a long name", { ["a".repeat(65)]: "a" }, "must have names of 1 to 64 characters"],
  ])("reject %s", (_what, value, message) => {
    expect(labels.safeParse(value).error?.issues).toMatchObject([{ message }]);
  });
});

describe("jsonProblem", () => {
  it.each([1e308, -1e308, 5e-324, 1e21])("counts %d with the length PostgreSQL writes", (number) => {
    const digits = Math.abs(Math.floor(Math.log10(Math.abs(number))));
    const value = { deep: [Array.from({ length: 100 }, () => number)] };
    const bytes = JSON.stringify(value).length + 100 * digits;
    expect(jsonProblem(value, bytes + 100)).toBeNull();
    expect(jsonProblem(value, bytes - 100)).toMatch(/bytes/);
  });

  it("counts other numbers as they are written", () => {
    const value = [0, -1.5, 123456789012345, 0.000001];
    expect(jsonProblem(value, JSON.stringify(value).length)).toBeNull();
  });
});

describe("text", () => {
  it.each([
    ["", 1, "must have at least 1 character"],
    ["ab", 3, "must have at least 3 characters"],
    ["abcdef", 3, "must have at most 5 characters"],
  ])("says how long %j must be", (typed, min, message) => {
    const parsed = text(5, min).safeParse(typed);
    expect(parsed.error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe("parseInput", () => {
  it("reports missing fields as required", () => {
    const asked = z.object({
      title: text(5),
      count: z.int(),
      kind: z.enum(["a", "b"]),
      note: text(5).optional(),
    });
    const expectedError = expect.objectContaining({
      code: "validation_failed",
      details: {
        field: "title",
        errors: [
          { field: "title", detail: "is required" },
          { field: "count", detail: expect.stringContaining("must be a whole number") },
          { field: "kind", detail: "is required" },
        ],
      },
    });
    expect(() => parseInput(asked, { count: "x" })).toThrow(expectedError);
  });
});
