import { describe, expect, it } from "vitest";
import { compilePolicy } from "../../../src/domain/policies/compile-policy.ts";

const MANY = 5000;

/** Recalls the condition of a policy. */
function getCondition(when: string) {
  const scope = { subjects: null, actions: ["*"], resources: null };
  const policy = { id: "0", generation: 1, name: "A policy", mode: "enforce", effect: "deny" } as const;
  return compilePolicy({ ...policy, ...scope, approval: null, when }).getCondition();
}

/** One of the conditions with the most parts. */
function buildLarge(number: number): string {
  return [`args.x${number}`, ...Array.from({ length: 98 }, () => "args.a")].join(" || ");
}

describe("compilePolicy", () => {
  it.each([
    ["keeps many compiled conditions", (number: number) => `args.a == ${number}.5`, true],
    ["keeps only as many large ones as there is memory for", buildLarge, false],
  ])("%s", { timeout: 60_000 }, (_what, build, isKept) => {
    const first = getCondition(build(0));
    expect(first).toMatchObject({ evaluate: expect.any(Function) });
    for (let number = 1; number < MANY; number++) getCondition(build(number));
    expect(getCondition(build(0)) === first).toBe(isKept);
  });
});
