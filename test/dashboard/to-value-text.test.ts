import { describe, expect, it } from "vitest";
import { toValueText } from "../../src/dashboard/ui/json-tree/to-value-text.ts";

describe("toValueText", () => {
  it("shows texts as JSON, so that none can imitate another value", () => {
    expect(toValueText("5 changed was 900").text).toBe('"5 changed was 900"');
  });

  it.each(["gpt-5", "Refund me.", "2026-11-29", "C:\\orders", "0192f0c1-7c00-7000-8000-000000000001"])(
    "shows the plain text %j as written",
    (text) => expect(toValueText(text, true)).toEqual({ text, isBlock: false }),
  );

  it.each(["900", "true", "null", "{}", '"quoted"', "", " padded "])(
    "quotes the plain text %j, which could be taken for another value",
    (text) => expect(toValueText(text, true)).toEqual({ text: JSON.stringify(text), isBlock: false }),
  );

  it.each([900, true, null, {}, []])("shows %j as JSON", (value) =>
    expect(toValueText(value)).toEqual({ text: JSON.stringify(value), isBlock: false }),
  );

  it("shows characters that can't be seen, and texts of several lines as blocks", () => {
    expect(toValueText("a\u202eb", true).text).toBe(String.raw`a\u{202e}b`);
    expect(toValueText("a\nb")).toEqual({ text: "a\nb", isBlock: true });
  });
});
