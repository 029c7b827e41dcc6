import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "../../../src/domain/kernel/strict-json.ts";

const LIMITS = { maxDepth: 64, maxValues: 1000 };

describe("parseStrictJson", () => {
  it("parses what JSON.parse parses, if it can be understood in one way only", () => {
    const values = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const parsed = parseStrictJson(text, LIMITS);
        if (parsed !== null && "value" in parsed) expect(parsed.value).toEqual(JSON.parse(text));
        else expect(parsed?.problem.message).toMatch(/digits|from -9007199254740991/);
      }),
    );
  });

  it.each(["", "{", '{"a":1,}', "[1 2]", "01", "'a'", '"\n"', "nul", '{"a"}'])("rejects %j", (text) => {
    expect(parseStrictJson(text, LIMITS)).toBeNull();
  });

  it.each([
    ['{"a":1,"a":1}', "a", "is given twice"],
    ['{"a":1,"\\u0061":2}', "a", "is given twice"],
    ['{"a":{"b":1},"c":[{"b":1,"b":2}]}', "c.0.b", "is given twice"],
    ['{"a":[1,2,9007199254740993]}', "a.2", "must be from -9007199254740991"],
    ["-9007199254740992", "", "must be from -9007199254740991"],
    ['{"a":1e300}', "a", "must be from -9007199254740991"],
    ['{"a":1e400}', "a", "must not be beyond 1.8e308"],
    ['{"a":0.1234567890123456789}', "a", "at most 17 digits"],
    ['{"a":1.000000000000000001}', "a", "at most 17 digits"],
    [`[${"0,".repeat(1000)}0]`, "", "must have at most 1000 values"],
    [`[${"{},".repeat(500)}0]`, "", "must have at most 1000 values"],
    [`${"[".repeat(65)}${"]".repeat(65)}`, "0.0", "nested at most 64 levels deep"],
  ])("rejects %s: %s %s", (...[text, path, message]) => {
    expect(parseStrictJson(text, LIMITS)).toMatchObject({
      problem: { path: expect.stringContaining(path), message: expect.stringContaining(message) },
    });
  });

  it.each([
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '["a","a"]',
    '{"a":"a","b":"a"}',
    '{"a\\"":1,"a":2}',
    "9007199254740991",
    "0.1",
    "-0.00000000000000000001",
    "12345678901234.567",
    '{"__proto__":1,"constructor":2}',
    `[${"0,".repeat(999)}0]`,
    `${"[".repeat(64)}${"]".repeat(64)}`,
  ])("accepts %s", (text) => {
    expect(parseStrictJson(text, LIMITS)).toEqual({ value: JSON.parse(text) });
  });
});
