import { afterAll, beforeAll, expect, describe, it } from "vitest";
import { insertApprovals } from "../../../src/domain/approvals/insert-approvals.ts";
import { parseRequest } from "../../../src/domain/gateway-checks/parse-request.ts";
import type { Transaction } from "../../../src/domain/kernel/context.ts";
import { USUAL_TERMS } from "../../../src/domain/policies/policy-rule.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

type Create = Transaction["db"]["approval"]["createManyAndReturn"];

describe("insertApprovals", () => {
  it("writes few at once, so that others can work in between", async () => {
    const { agent, agentId } = await createApprovalScene(world);
    const questions = Array.from({ length: 90 }, (_, at) => ({
      asked: parseRequest(JSON.stringify(refund({ amount: at }))),
      binding: { agentId, askedBy: [], scope: "exact" as const },
      ...{ issuerIds: [], acceptEdits: true, decisionId: crypto.randomUUID(), terms: USUAL_TERMS },
    }));
    const sizes: number[] = [];
    const { approvals } = await agent.transaction((tx) => {
      const create = ((args) => {
        sizes.push([args?.data].flat().length);
        return tx.db.approval.createManyAndReturn(args);
      }) as Create;
      const approval = Object.assign(Object.create(tx.db.approval), { createManyAndReturn: create });
      return insertApprovals({ ...tx, db: { ...tx.db, approval } }, questions);
    });
    expect(approvals.map(({ request }) => request)).toEqual(questions.map(({ asked }) => asked));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  });
});
