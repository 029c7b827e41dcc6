import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPolicies } from "../../../src/domain/policies/file/format-policies.ts";
import { parsePolicyFile } from "../../../src/domain/policies/file/policy-file.ts";
import { type PolicyRule, policyRule } from "../../../src/domain/policies/policy-rule.ts";
import { POLICY_FILE as FILE, parseRules as parse } from "../../support/policy-file.ts";

/** Runs all steps. */
function format(rules: readonly PolicyRule[]): string {
  const steps = formatPolicies(rules);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

function findProblems(text: string): string[] {
  const parsed = parsePolicyFile(text);
  return "problems" in parsed
    ? parsed.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
}

describe("a file of policies", () => {
  it("has what is not said by default, in order of names", () => {
    expect(parse(FILE)).toMatchObject([
      { name: "refunds over 500", approval: { persons: 2, ttlSeconds: 600, validSeconds: 300, uses: 1 } },
      { name: "tools", enabled: false, mode: "monitor", subjects: null },
    ]);
    expect(format(parse(FILE).toReversed())).toBe(FILE);
    expect(format([])).toBe("version: 1\npolicies: []\n");
  });

  it("can be JSON", () => {
    expect(parse('{"version":1,"policies":[{"name":"a","effect":"deny","actions":["*"]}]}')).toMatchObject([
      { name: "a", effect: "deny" },
    ]);
  });

  it("has the same rules after it was written and read, whatever they are", () => {
    const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    const rules = fc.array(
      fc.record(
        {
          ...{ name: names, description: names, when: fc.constantFrom('args.a == "\\n"', "has(args.b)") },
          ...{ effect: fc.constantFrom("allow", "deny", "ask"), mode: fc.constantFrom("enforce", "monitor") },
          ...{ enabled: fc.boolean(), actions: fc.array(names, { minLength: 1, maxLength: 3 }) },
          resources: fc.array(fc.record({ type: fc.constant("tool"), name: names }), {
            minLength: 1,
            maxLength: 2,
          }),
        },
        { requiredKeys: ["name", "effect", "actions"] },
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(rules, (given) => {
        const parsed = given.map((rule) => policyRule.safeParse(rule)).flatMap(({ data }) => data ?? []);
        const unique = [...new Map(parsed.map((rule) => [rule.name, rule])).values()];
        const byName = unique.toSorted((one, other) => (one.name < other.name ? -1 : 1));
        expect(parse(format(unique))).toEqual(byName);
      }),
    );
  });

  it.each([
    ["version: 2\npolicies: []", ["1:10 version: must be 1"]],
    [
      "version: 1\npolicies: []\npolices: []",
      [expect.stringContaining("polices: is unknown: did you mean policies?")],
    ],
    ["version: 1\nversion: 1\npolicies: []", ["2:1 keys must be unique"]],
    ["version: 1\npolicies: [{a: {1: x, '1': x}}]", ["2:23 keys must be unique"]],
    ["version: 1\npolicies: [{[a]: 1}]", ["2:13 keys must be texts"]],
    [`version: 1\npolicies: ${"[".repeat(30)}${"]".repeat(30)}`, ["2:33 is nested too deeply"]],
    ["[".repeat(100_000), [expect.stringMatching(/^1:\d+ is nested too deeply/)]],
    ["version: 1\r\npolicies: []\r\nx: 1", ["3:4 x: is unknown"]],
    ["--- {}\n--- {}\n", [expect.stringMatching(/^2:1 .*multiple documents/)]],
    ["version: 1\npolicies: [", [expect.stringMatching(/^2:/)]],
    ["version: 1\npolicies: &a []\nx: *a", [expect.stringContaining("aliases can't be used")]],
    ["version: 1\npolicies: !!set {}", [expect.stringContaining("tags can't be used")]],
    [
      FILE.replace("effect: ask", "efect: ask"),
      [
        expect.stringContaining("efect: is unknown: did you mean effect?"),
        expect.stringContaining("effect: is required"),
      ],
    ],
    [FILE.replace("ttl_s: 600", "ttl_s: 1"), [expect.stringMatching(/^18:14 approval.ttl_s: must be/)]],
    [FILE.replace("name: tools", "name: refunds over 500"), ["19:11 name: is the name of another policy"]],
    [FILE.replace("> 500", ">"), [expect.stringMatching(/^15:11 when: Unexpected token/)]],
    ["", [expect.stringMatching(/^1:1 /)]],
    ["[1]", [expect.stringMatching(/^1:1 /)]],
    ["x".repeat(4_194_305), ["1:1 must have at most 4194304 characters"]],
  ])("is rejected with the place: %#", (text, problems) => {
    expect(findProblems(text)).toEqual(problems);
  });
});

/** What makes parsers of YAML slow, repeated. */
const HOSTILE: Record<string, string | ((size: number) => string)> = {
  ...{
    tags: "!x ",
    anchors: "&a ",
    aliases: "*a ",
    "tags of entries": "- !x a\n",
    "both of entries": "- !x &a b\n",
  },
  ...{
    "double quotes": '"',
    "single quotes": "'",
    "opened lists": "[",
    "opened maps": "{a: ",
    "closed lists": "]",
  },
  ...{
    dashes: "- ",
    "question marks": "? ",
    colons: ": ",
    "lines of colons": ":\n",
    keys: "a: ",
    "keys in lines": "a: 1\n",
  },
  ...{
    comments: "- a\n# b\n",
    "empty lines": "\n",
    "lines of spaces": " \n",
    returns: "\r",
    "byte order marks": "\ufeff",
  },
  ...{
    directives: "%TAG ! x\n",
    documents: "--- a\n",
    "block texts": "- |\n",
    "lists as keys": "{[a]: b}\n",
  },
  "commas in a list": (size) => `[${",".repeat(size)}`,
  "colons in a map": (size) => `{${":,".repeat(size / 2)}}`,
  "wrong escapes": (size) => `"${String.raw`\q`.repeat(size / 2)}"`,
  "different keys": (size) => Array.from({ length: size / 10 }, (_, at) => `k${at}: 1`).join("\n"),
  "unknown fields": (size) =>
    `version: 1\npolicies:\n- name: a\n${Array.from({ length: size / 12 }, (_, at) => `  nam${at}: 1`).join("\n")}`,
  "wrong policies": (size) => `version: 1\npolicies:\n${"- x: 1\n".repeat(size / 7)}`,
};

describe("parsePolicyFile", () => {
  const SIZE = 60_000;

  function measureMs(text: string): number {
    const before = process.cpuUsage();
    parsePolicyFile(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  it("takes no hostile text for longer than a few honest ones of its size", { timeout: 60_000 }, () => {
    const honest = `version: 1\npolicies:\n${"- name: a\n  effect: deny\n  actions: ['x']\n".repeat(SIZE / 40)}`;
    measureMs(honest);
    const mostMs = 4 * measureMs(honest) + 200;
    const slow = Object.keys(HOSTILE).filter((name) => {
      const part = HOSTILE[name] ?? "";
      const text = typeof part === "string" ? part.repeat(SIZE / part.length) : part(SIZE);
      // Another try is spared the collection of garbage that others left.
      return measureMs(text) > mostMs && measureMs(text) > mostMs;
    });
    expect(slow).toEqual([]);
  });

  it("returns at most a hundred problems", () => {
    expect(findProblems(`version: 1\npolicies:\n${"- x: 1\n".repeat(200)}`)).toHaveLength(100);
    expect(findProblems("- !x a\n".repeat(200))).toHaveLength(100);
  });
});
