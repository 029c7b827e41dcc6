import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { applyPolicies } from "../../../src/domain/policies/file/apply-policies.ts";
import { exportPolicies } from "../../../src/domain/policies/file/export-policies.ts";
import { parsePolicyFile } from "../../../src/domain/policies/file/policy-file.ts";
import { type PolicyRule, policyRule } from "../../../src/domain/policies/policy-rule.ts";
import { runs } from "../../support/property-runs.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  quiet = await openQuietServices();
  ctx = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
});

afterAll(() => quiet.close());

const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const words = fc.constantFrom(
  "yes",
  "null",
  "1e3",
  "*",
  "a: b",
  "#",
  "- x",
  "'",
  '"',
  "~",
  "0x10",
  "\\*",
  "é",
);
const names = fc.oneof(texts, words);
const labels = fc.dictionary(fc.constantFrom("team", "on", "1"), names, { minKeys: 1, maxKeys: 2 });
const optional = { requiredKeys: ["type"] as ["type"] };
const subjects = fc.oneof(
  fc.record(
    { type: fc.constant("agent"), name: names, labels, kind: fc.constantFrom("robot", "software") },
    optional,
  ),
  fc.record({ type: fc.constant("member"), role: fc.constantFrom("viewer", "admin") }),
  fc.record({ type: fc.constant("user"), name: names }, optional),
);
const resources = fc.oneof(
  fc.record({ type: fc.constant("tool"), server: names, name: names }, optional),
  fc.record({ type: fc.constant("agent"), labels }, optional),
);
const approvals = fc.record(
  {
    ...{ role: fc.constantFrom("operator", "admin"), persons: fc.constantFrom(1, 2) },
    ...{
      ttlSeconds: fc.integer({ min: 60, max: 86_400 }),
      validSeconds: fc.integer({ min: 10, max: 86_400 }),
    },
    ...{
      uses: fc.integer({ min: 1, max: 100 }),
      scope: fc.constantFrom("exact", "tool"),
      edits: fc.boolean(),
    },
  },
  { requiredKeys: [] },
);
const some = <Value>(values: fc.Arbitrary<Value>) => fc.array(values, { minLength: 1, maxLength: 3 });
const conditions = fc.constantFrom(
  ...['args.a == "\\n"', "has(args.b)", "true // why", "args.a in\n  ['x',\n   \"y\"]", "  true  "],
);
const rules = fc
  .record(
    {
      ...{
        name: names,
        description: texts,
        enabled: fc.boolean(),
        mode: fc.constantFrom("enforce", "monitor"),
      },
      ...{ effect: fc.constantFrom("allow", "deny", "ask"), subjects: some(subjects), actions: some(names) },
      ...{ resources: some(resources), when: conditions, approval: approvals },
    },
    { requiredKeys: ["name", "effect", "actions"] },
  )
  .map(({ approval, ...rule }) => ({ ...rule, ...(rule.effect === "ask" && approval && { approval }) }));

/** Those that can be saved, with different names. */
function toRules(given: readonly object[]): PolicyRule[] {
  const saved = given.flatMap((rule) => policyRule.safeParse(rule).data ?? []);
  return [...new Map(saved.map((rule) => [rule.name, rule])).values()];
}

async function readPolicies() {
  return ctx.db.policy.findMany({ orderBy: { id: "asc" } });
}

describe("policies that are exported and applied again", () => {
  it("are unchanged, whatever they say", async () => {
    let saved = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(rules, { maxLength: 6 }), async (given) => {
        const wanted = toRules(given);
        saved += wanted.length;
        await applyPolicies(ctx, { rules: wanted, hash: "0".repeat(64) }, { prune: true });
        const before = await readPolicies();
        expect(before).toHaveLength(wanted.length);
        const { text: file } = await exportPolicies(ctx);
        const parsed = parsePolicyFile(file);
        if ("problems" in parsed) throw new Error(`${JSON.stringify(parsed.problems)} in ${file}`);
        const applied = await applyPolicies(ctx, parsed, { prune: true });
        expect(applied).toMatchObject({ added: [], changed: [], missing: [], unchanged: wanted.length });
        expect(await readPolicies()).toEqual(before);
      }),
      { numRuns: runs(60) },
    );
    expect(saved).toBeGreaterThan(60);
  });
});
