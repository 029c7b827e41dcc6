import { describe, expect, it } from "vitest";
import { createDecisionSampler } from "../../../src/domain/decisions/decision-sampler.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { createDecisionRow } from "../../support/decision-row.ts";

const NOON = new Date("2026-01-01T12:00:00.000Z");
const PERMISSION = createDecisionRow(NOON, { outcome: "allow", reason: "policy_allow" });

function countSampled(isSampled: ReturnType<typeof createDecisionSampler>, fields: object = {}): number {
  const asked = Array.from({ length: 2 * LIMITS.sampledDecisions }, () => ({ ...PERMISSION, ...fields }));
  return asked.filter((decision) => isSampled(decision)).length;
}

describe("the sample of permissions", () => {
  it("has the first 20 of a kind in a minute", () => {
    const isSampled = createDecisionSampler();
    expect(countSampled(isSampled)).toBe(20);
    expect(countSampled(isSampled)).toBe(0);
    expect(countSampled(isSampled, { resourceId: "another" })).toBe(20);
    expect(countSampled(isSampled, { agentId: crypto.randomUUID() })).toBe(20);
    expect(countSampled(isSampled, { createdAt: "2026-01-01T12:01:00.000Z" })).toBe(20);
  });

  it("of one workspace has no more because another one asks for any number of kinds", () => {
    const isSampled = createDecisionSampler();
    expect(countSampled(isSampled)).toBe(20);
    const other = crypto.randomUUID();
    for (let index = 0; index < 30_000; index++)
      isSampled({ ...PERMISSION, workspaceId: other, resourceId: `${index}` });
    expect(countSampled(isSampled)).toBe(0);
    expect(countSampled(isSampled, { resourceId: "new" })).toBe(20);
    expect(countSampled(isSampled, { resourceId: "new" })).toBe(0);
  });
});
