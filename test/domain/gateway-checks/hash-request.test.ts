import { describe, expect, it } from "vitest";
import { hashRequest, toAskingPolicy } from "../../../src/domain/gateway-checks/hash-request.ts";
import { parseRequest } from "../../../src/domain/gateway-checks/parse-request.ts";
import { compilePolicy } from "../../../src/domain/policies/compile-policy.ts";

const AGENT = "0190a000-0000-7000-8000-000000000001";
const OTHER = "0190a000-0000-7000-8000-000000000002";

function policyWhen(when: string | null) {
  return toAskingPolicy(
    compilePolicy({
      ...{ id: AGENT, generation: 1, name: "ask", mode: "enforce", effect: "ask", when },
      ...{ subjects: null, actions: ["*"], resources: null, approval: null },
    }),
  );
}

function hash(members: Record<string, unknown>, ...conditions: (string | null)[]): string {
  const request = {
    action: { name: "tools/call", properties: { arguments: { amount: 900, to: "a" } } },
    resource: { type: "tool", id: "stripe.refund" },
    ...members,
  };
  const asked = parseRequest(JSON.stringify(request));
  return hashRequest(asked, { agentId: AGENT, askedBy: conditions.map(policyWhen), scope: "exact" });
}

function hashArguments(text: string): string {
  const json = `{"resource": {"id": "t", "type": "tool"}, "action": {"properties": {"arguments": ${text}}, "name": "x"}}`;
  return hashRequest(parseRequest(json), { agentId: AGENT, askedBy: [], scope: "exact" });
}

describe("hashRequest", () => {
  it("is the same for the same values, however they are written", () => {
    expect(hashArguments('{"a": 900, "b": [1, null]}')).toBe(
      hashArguments(' {"b":[1.0,null],\n"\\u0061":9e2}'),
    );
  });

  it("changes with each change of an argument, of the action and of the resource", () => {
    const texts = [
      '{"a":1}',
      '{"a":"1"}',
      '{"a":null}',
      "{}",
      '{"a":[1]}',
      '{"a":{}}',
      '{"A":1}',
      '{"a":1,"b":1}',
    ];
    const odd = ['{"a":"\\ud800"}', '{"a":"\\udc00"}', '{"a":"\\ufffd"}', '{"__proto__":1}', '{"toJSON":1}'];
    const hashes = [...texts, ...odd].map(hashArguments);
    const others = [
      hash({}),
      hash({ action: { name: "tools/list" } }),
      hash({ resource: { type: "tool", id: "stripe.pay" } }),
      hash({ resource: { type: "tool", id: "stripe.refund", properties: { definition: "1" } } }),
    ];
    expect(new Set([...hashes, ...others]).size).toBe(hashes.length + others.length);
  });

  it("leaves the subject out if it is the agent itself, unless it says more", () => {
    expect(hash({ subject: { type: "agent", id: AGENT.toUpperCase() } })).toBe(hash({}));
    const subjects = [
      { type: "agent", id: OTHER },
      { type: "user", id: AGENT },
      { type: "agent", id: AGENT, properties: { cleared: true } },
    ];
    expect(new Set([{}, ...subjects.map((subject) => ({ subject }))].map((one) => hash(one))).size).toBe(4);
  });

  it("binds the task, however its id is written", () => {
    const context = { task_id: OTHER };
    expect(hash({ context })).not.toBe(hash({}));
    expect(hash({ context })).not.toBe(hash({ context: { task_id: AGENT } }));
    expect(hash({ context })).toBe(hash({ context: { task_id: OTHER.toUpperCase() } }));
  });

  it("binds the estimate, unless any arguments are approved", () => {
    const [one, two] = [
      { context: { estimate: { usd: "0.01" } } },
      { context: { estimate: { usd: "900" } } },
    ];
    expect(hash(one)).not.toBe(hash(two));
    expect(hash(one)).not.toBe(hash({}));
    expect(hash(one)).toBe(hash(one));
    expect(hash(one, 'request.estimate.usd == "0.01"')).not.toBe(hash(two, 'request.estimate.usd == "0.01"'));
  });

  it("binds what the asking policies read of the context, and nothing else of it", () => {
    const [one, two] = [{ context: { env: { a: 1 }, "a-b": 1, n: 1 } }, { context: { env: { a: 2 }, n: 1 } }];
    expect(hash(one)).toBe(hash(two));
    expect(hash(one, "args.amount > 500", null)).toBe(hash(two, null));
    expect(hash(one, "request.n == 1.0")).toBe(hash(two, "has(request.n)", "request.n > 0.0"));
    expect(hash(one, 'has(request.env.a) && request["env"].a > 0.0')).not.toBe(
      hash(two, "request.env.a > 0.0"),
    );
    expect(hash(one, 'request["a-b"] == 1.0')).not.toBe(hash(two, 'request["a-b"] == 1.0'));
    expect(hash(one, null, "request.env.a == 1.0")).not.toBe(hash(two, null, "request.env.a == 1.0"));
    expect(hash(one, "request.items.exists(i, i == request.env)")).not.toBe(
      hash(two, "request.items.exists(i, i == request.env)"),
    );
  });

  it("is the same for any arguments and context if the approval is for the tool", () => {
    const binding = { agentId: AGENT, askedBy: [policyWhen("request.a == 1.0")], scope: "tool" } as const;
    const hashTool = (id: string, args: object, context = {}) => {
      const action = { name: "tools/call", properties: { arguments: args } };
      return hashRequest(
        parseRequest(JSON.stringify({ action, resource: { type: "tool", id }, context })),
        binding,
      );
    };
    expect(hashTool("stripe.refund", { a: 1 })).toBe(hashTool("stripe.refund", {}, { a: 2 }));
    expect(hashTool("stripe.refund", { a: 1 })).not.toBe(hashTool("stripe.pay", { a: 1 }));
  });

  it("binds all of the context where a condition may read any of it, except the approval", () => {
    for (const when of ['"x" in request', "request[args.to] == 1.0", "size(request) > 1"]) {
      expect(hash({ context: { a: 1 } }, when)).not.toBe(hash({ context: { a: 2 } }, when));
      const named = { context: { a: 1, approval: { id: AGENT } } };
      expect(hash(named, when)).toBe(hash({ context: { a: 1 } }, when));
    }
  });
});
