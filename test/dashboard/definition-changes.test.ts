import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markDifference } from "../../src/dashboard/ui/mark-difference.ts";
import { listDefinitionChanges } from "../../src/dashboard/views/mcp-servers/tools/list-definition-changes.ts";

const APPROVED = {
  name: "search",
  description: "Finds products.",
  inputSchema: { properties: { text: { type: "string" }, limit: { maximum: 500 } }, required: ["text"] },
};

describe("listDefinitionChanges", () => {
  it("names each member that is new, changed or missing, at any depth", () => {
    const now = {
      ...APPROVED,
      description: "Finds products.\u200b",
      inputSchema: { properties: { text: { type: "string" }, "a › b": {} }, required: ["text", "mail"] },
    };
    expect(listDefinitionChanges(APPROVED, now)).toEqual([
      { field: "description", before: '"Finds products."', after: String.raw`"Finds products.\u{200b}"` },
      { field: 'inputSchema › properties › "a › b"', before: null, after: "{}" },
      { field: "inputSchema › properties › limit", before: '{"maximum":500}', after: null },
      { field: "inputSchema › required › 1", before: null, after: '"mail"' },
    ]);
  });

  it("finds nothing between equal definitions, whatever the order of their members", () => {
    const { name, description, inputSchema } = APPROVED;
    expect(listDefinitionChanges(APPROVED, { inputSchema, description, name })).toEqual([]);
  });

  it("finds something between any two values that differ, and tells a number from a text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        const isEqual = sort(before) === sort(after);
        expect(listDefinitionChanges(before, after).length > 0).toBe(!isEqual);
      }),
    );
    expect(listDefinitionChanges({ a: 5 }, { a: "5" })).toEqual([{ field: "a", before: "5", after: '"5"' }]);
  });
});

/** A JSON value as text, with the members of objects in order. */
function sort(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

describe("markDifference", () => {
  it.each([
    ["up to 500 SEK", "up to 5000 SEK", ["up to 500", "", "0", " SEK"]],
    ["aaa", "aa", ["aa", "a", "", ""]],
    ["", "x", ["", "", "x", ""]],
    ["same", "same", ["same", "", "", ""]],
    ["a😀b", "a😁b", ["a", "😀", "😁", "b"]],
  ])("marks what differs between %j and %j", (before, after, [start, old, now, end]) => {
    expect(markDifference(before, after)).toEqual({ start, before: old, after: now, end });
  });

  it("loses nothing of any two texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
        const { start, before: old, after: now, end } = markDifference(before, after);
        expect([start + old + end, start + now + end]).toEqual([before, after]);
      }),
    );
  });
});
