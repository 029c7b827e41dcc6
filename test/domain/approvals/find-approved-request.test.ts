import { describe, expect, it } from "vitest";
import {
  findApprovedRequest,
  replaceArguments,
} from "../../../src/domain/approvals/find-approved-request.ts";
import { type AskingPolicy, hashRequest } from "../../../src/domain/gateway-checks/hash-request.ts";
import { parseRequest } from "../../../src/domain/gateway-checks/parse-request.ts";

const AGENT = "0190a000-0000-7000-8000-000000000001";
const ASKS: AskingPolicy = { id: AGENT, generation: 1, name: "asks", contextMembers: [] };
const ASKS_OF_EDIT: AskingPolicy = { ...ASKS, name: "asks too", contextMembers: ["env"], isOfEdit: true };

const EDITS = { acceptEdits: true };

function request(amount: number, context: object = {}) {
  const action = { name: "tools/call", properties: { arguments: { amount } } };
  return parseRequest(JSON.stringify({ action, resource: { type: "tool", id: "stripe.refund" }, context }));
}

function approve(scope: "exact" | "tool", edit: { amount: number; env: string } | null = null) {
  const binding = { agentId: AGENT, askedBy: [ASKS], scope };
  const askedBy = edit === null ? [ASKS] : [ASKS, ASKS_OF_EDIT];
  const edited = edit && hashRequest(request(edit.amount, { env: edit.env }), { ...binding, askedBy });
  return {
    ...{ agentId: AGENT, askedBy, scope },
    requestHash: Buffer.from(hashRequest(request(900), binding), "hex"),
    editedHash: edited === null ? null : Buffer.from(edited, "hex"),
    editedArguments: edit && { amount: edit.amount },
  };
}

describe("findApprovedRequest", () => {
  it("is the request that the agent asked for, and no other", () => {
    expect(findApprovedRequest(approve("exact"), request(900, { env: "b" }), EDITS)).toEqual(
      request(900, { env: "b" }),
    );
    expect(findApprovedRequest(approve("exact"), request(901), EDITS)).toBeNull();
  });

  it("is any request of the tool if the approval is for the tool", () => {
    expect(findApprovedRequest(approve("tool"), request(5), EDITS)).toEqual(request(5));
  });

  it("has the arguments that approvers changed, whether the agent sends those or its own", () => {
    const approval = approve("exact", { amount: 100, env: "a" });
    const context = { env: "a" };
    expect(findApprovedRequest(approval, request(900, context), EDITS)).toEqual(request(100, context));
    expect(findApprovedRequest(approval, request(100, context), EDITS)).toEqual(request(100, context));
    expect(findApprovedRequest(approval, request(101, context), EDITS)).toBeNull();
    const without = { acceptEdits: false };
    expect(findApprovedRequest(approval, request(900, context), without)).toBeNull();
    expect(findApprovedRequest(approval, request(100, context), without)).toEqual(request(100, context));
  });

  it("is bound to the context that policies read which ask since the change", () => {
    const approval = approve("exact", { amount: 100, env: "a" });
    expect(findApprovedRequest(approval, request(900, { env: "b" }), EDITS)).toBeNull();
    expect(findApprovedRequest(approval, request(100), EDITS)).toBeNull();
  });

  it("leaves the other properties of the action as they are", () => {
    const asked = request(1);
    asked.action.properties["mode"] = "dry";
    expect(replaceArguments(asked, { amount: 2 }).action.properties).toEqual({
      mode: "dry",
      arguments: { amount: 2 },
    });
    expect(asked.action.properties["arguments"]).toEqual({ amount: 1 });
  });
});
