import { describe, expect, it } from "vitest";
import { toCsv } from "../../src/dashboard/ui/table/tools/csv.ts";

describe("toCsv", () => {
  it("has a column for each field, by its path, and JSON for lists", () => {
    const rows = [
      { id: "x", title: "One", agent: { __typename: "Agent", name: "Ada" }, tags: ["a", "b"], isLate: false },
      { id: "y", title: "Two", agent: null, tags: [], isLate: true, extra: 3 },
    ];
    expect(toCsv(rows)).toBe(
      'title,agent.name,tags,isLate,agent,extra\r\nOne,Ada,"[""a"",""b""]",false,,\r\nTwo,,[],true,,3\r\n',
    );
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["@sum", "'@sum"],
    ["-5", "-5"],
    ["a, b", '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["a;=1+1", "a;'=1+1"],
    ['a; "=1+1"', `"a;' ""=1+1"""`],
    ["x\n@sum\ty\t+1", `"x\n'@sum\ty\t'+1"`],
    ["a; b\n- c", '"a; b\n- c"'],
  ])("quotes %j, and defuses formulas", (text, field) => {
    expect(toCsv([{ text }])).toBe(`text\r\n${field}\r\n`);
  });
});
