import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { type HookScene, createHookScene, decisionOf, toolUse } from "../../support/hook-scene.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/hooks/pre-tool-use";

let world: TestWorld;
let scene: HookScene;
let ctx: Ctx;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createHookScene(world);
  ({ ctx } = scene);
});

describe("POST /hooks/pre-tool-use", () => {
  it("allows what policies allow, with the decision's id", async () => {
    const answer = await scene.agent.post(PATH, toolUse("mcp__crm__search", { q: "Ada" }));
    const id = await scene.lastDecisionId();
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          permissionDecisionReason: `Agent Ops: crm (${id})`,
        },
      },
    });
    expect(answer.headers.get("agent-ops-decision")).toBe("allow");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("denies what no policy allows, and what one denies by its name", async () => {
    const answer = await scene.agent.post(PATH, toolUse("Bash", { command: "ls" }));
    expect(decisionOf(answer)).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/no policy allows it/),
    });
    expect(answer.headers.get("agent-ops-decision")).toBe("deny");
    await createPolicy(ctx, {
      ...{ name: "no shell", effect: "deny", actions: ["tools/call"] },
      resources: [{ type: "tool", name: "local.Bash" }],
    });
    expect(decisionOf(await scene.agent.post(PATH, toolUse("Bash")))).toEqual({
      decision: "deny",
      reason: expect.stringMatching(/^Agent Ops: no shell \([0-9a-f-]{36}\)$/),
    });
  });

  it("tells policies the session, the folder and the mode", async () => {
    await createPolicy(ctx, {
      ...{ name: "plans", effect: "allow", actions: ["tools/call"] },
      resources: [{ type: "tool", name: "local.Read" }],
      when: 'request.mode == "plan" && request.cwd == "/src" && request.session == "s-1" && args.path == "a"',
    });
    const call = toolUse("Read", { path: "a" });
    expect(decisionOf(await scene.agent.post(PATH, { ...call, permission_mode: "plan" })).decision).toBe(
      "allow",
    );
    expect(decisionOf(await scene.agent.post(PATH, call)).decision).toBe("deny");
  });

  it("answers the strict dialect with nothing for what may run as it is", async () => {
    const strict = (tool: string, input?: object) => ({ ...toolUse(tool, input), turn_id: "1", model: "m" });
    const allowed = await scene.agent.post(PATH, strict("mcp__crm__search"));
    expect({ body: allowed.body, decision: allowed.headers.get("agent-ops-decision") }).toEqual({
      ...{ body: {}, decision: "allow" },
    });
    expect(decisionOf(await scene.agent.post(PATH, strict("Bash"))).decision).toBe("deny");
    const asked = await scene.agent.post(`${PATH}?timeout=3&on_timeout=ask`, strict("mcp__stripe__refund"));
    expect(decisionOf(asked).decision).toBe("deny");
  });

  it("decides nothing where the workspace leaves it to the coding agent", async () => {
    await updateWorkspace(ctx, { hookAllow: "no_decision" });
    const allowed = await scene.agent.post(PATH, toolUse("mcp__crm__search"));
    expect({ body: allowed.body, decision: allowed.headers.get("agent-ops-decision") }).toEqual({
      ...{ body: {}, decision: "allow" },
    });
    expect(decisionOf(await scene.agent.post(PATH, toolUse("Bash"))).decision).toBe("deny");
  });
});

describe("a call about which policies ask", () => {
  const refund = (id = "t-1", amount = 900) => toolUse("mcp__stripe__refund", { amount }, id);

  it("is held until a person approves, and can be repeated", async () => {
    const held = scene.agent.post(`${PATH}?timeout=120`, refund());
    const approval = await scene.waitForApproval();
    expect(approval).toMatchObject({ resourceId: "stripe.refund", canEdit: false });
    await grantApproval(await scene.person(), { id: approval.id });
    const first = await held;
    expect(decisionOf(first)).toMatchObject({
      decision: "allow",
      reason: expect.stringMatching(/approved by a person/),
    });
    // The answer was lost: the same call has the same answer.
    expect((await scene.agent.post(PATH, refund())).body).toEqual(first.body);
    expect(await ctx.db.execution.findMany()).toMatchObject([
      { sessionKey: "s-1 t-1", status: "started", approvalId: approval.id, leaseSeconds: 3600 },
    ]);
    // Another use of the tool is another question, and another call is not what was approved.
    expect(decisionOf(await scene.agent.post(`${PATH}?timeout=3`, refund("t-2"))).decision).toBe("deny");
    expect(decisionOf(await scene.agent.post(`${PATH}?timeout=3`, refund("t-1", 901)))).toMatchObject({
      ...{ decision: "deny", reason: expect.stringMatching(/Something else was executed/) },
    });
  });

  it("answers two held calls of one use alike", async () => {
    const calls = [1, 2].map(() => scene.agent.post(`${PATH}?timeout=120`, refund()));
    const approval = await scene.waitForApproval();
    await grantApproval(await scene.person(), { id: approval.id });
    const [first, second] = await Promise.all(calls);
    expect(decisionOf(first).decision).toBe("allow");
    expect(second?.body).toEqual(first?.body);
    expect(await ctx.db.execution.count()).toBe(1);
  });

  it("is denied with the person's words", async () => {
    const held = scene.agent.post(`${PATH}?timeout=120`, refund());
    const approval = await scene.waitForApproval();
    await denyApproval(await scene.person(), { id: approval.id, comment: "Ask Ada first." });
    expect(decisionOf(await held)).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/denied by a person: Ask Ada first\./),
    });
    expect(await ctx.db.execution.count()).toBe(0);
  });

  it("is denied if nobody decides in time, and joined by the same call", async () => {
    expect(decisionOf(await scene.agent.post(`${PATH}?timeout=3`, refund()))).toMatchObject({
      ...{ decision: "deny", reason: expect.stringMatching(/waits for a person/) },
    });
    const approval = await scene.waitForApproval();
    await grantApproval(await scene.person(), { id: approval.id });
    expect(decisionOf(await scene.agent.post(`${PATH}?timeout=3`, refund("t-9"))).decision).toBe("allow");
    expect(await ctx.db.approval.count()).toBe(1);
  });

  it("is left to the user if nobody decides in time and the settings say so", async () => {
    expect(decisionOf(await scene.agent.post(`${PATH}?timeout=3&on_timeout=ask`, refund())).decision).toBe(
      "ask",
    );
  });

  it("has the arguments that a person changed", async () => {
    await scene.allowEdits();
    for (const extra of [{}, { turn_id: "1" }]) {
      const amount = Object.keys(extra).length === 0 ? 900 : 901;
      const held = scene.agent.post(`${PATH}?timeout=120`, { ...refund(`t-${amount}`, amount), ...extra });
      const approval = await scene.waitForApproval();
      await grantApproval(await scene.person(), { id: approval.id, arguments: { amount: 600 } });
      expect((await held).body.hookSpecificOutput).toMatchObject({
        ...{ permissionDecision: "allow", updatedInput: { amount: 600 } },
      });
    }
  });

  it("uses nothing for a client that went away", async () => {
    const body = JSON.stringify(refund());
    const { hostname, port } = new URL(world.server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${PATH}?timeout=120 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${scene.token}\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    const approval = await scene.waitForApproval();
    socket.destroy();
    await once(socket, "close");
    await scene.waitUntilNoneIsHeld();
    await grantApproval(await scene.person(), { id: approval.id });
    expect(await ctx.db.execution.count()).toBe(0);
    expect(await ctx.db.approval.findMany()).toMatchObject([{ status: "approved", usedCount: 0 }]);
  });
});

describe("a call that can't be decided is 200 and denied", () => {
  const call = toolUse("mcp__crm__search");

  it.each<[name: string, reason: RegExp, body: unknown]>([
    ["for no body", /not valid JSON/, ""],
    ["for broken JSON", /not valid JSON/, "{"],
    ["for a list", /must be an object/, []],
    ["for members given twice", /given twice/, '{"session_id":"a","session_id":"b"}'],
    ["without a session", /session_id/, { ...call, session_id: undefined }],
    ["without a tool", /tool_name/, { ...call, tool_name: undefined }],
    ["for another event", /hook_event_name/, { ...call, hook_event_name: "PostToolUse" }],
    ["for a server that looks like the coding agent", /can't be named local/, toolUse("mcp__local__Read")],
    ["for a server that looks like another", /dot in its name/, toolUse("mcp__stripe.x__refund")],
    [
      "for a number that has two meanings",
      /9007199254740991/,
      JSON.stringify(call).replace("{}", "9007199254740993"),
    ],
    ["of more than 256 KiB", /too large/, toolUse("mcp__crm__search", { text: "x".repeat(262_144) })],
    ["of more than 1 MiB", /too large/, toolUse("mcp__crm__search", { text: "x".repeat(2_000_000) })],
  ])("%s", async (...[, reason, body]) => {
    const answer = await scene.agent.send(PATH, { method: "POST", body });
    expect(decisionOf(answer)).toEqual({ decision: "deny", reason: expect.stringMatching(reason) });
  });

  it.each(["timeout=x", "timeout=-1", "timeout=1.5", "on_timeout=allow"])("for ?%s", async (query) => {
    expect(decisionOf(await scene.agent.post(`${PATH}?${query}`, call)).decision).toBe("deny");
  });

  it("for no credential, a bad one, one in the URL, a session, and without the scope", async () => {
    const { url } = world.server;
    const answers = [
      await createTestClient(url).post(PATH, call),
      await createTestClient(url, "agt_nothing").post(PATH, call),
      await createTestClient(url).post(`${PATH}?access_token=${scene.token}`, call),
      await (await world.agentWith("gateway:read")).post(PATH, call),
    ];
    for (const answer of answers) expect(decisionOf(answer).decision).toBe("deny");
  });

  it("for other paths and methods, other hosts, and a URL that is too long", async () => {
    const answers = [
      await scene.agent.get(PATH),
      await scene.agent.post("/hooks", call),
      await scene.agent.post("/hooks/pre_tool_use", call),
      await scene.agent.post(`${PATH}?x=${"x".repeat(8200)}`, call),
    ];
    for (const answer of answers) expect(decisionOf(answer).decision).toBe("deny");
  });

  it("for a paused agent, and during an emergency stop, which ends held calls too", async () => {
    await setAgentControlState(ctx, { id: scene.agentId, controlState: "paused", reason: "x" });
    expect(decisionOf(await scene.agent.post(PATH, call))).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/paused/),
    });
    await setAgentControlState(ctx, { id: scene.agentId, controlState: "active", reason: "x" });
    const held = scene.agent.post(`${PATH}?timeout=120`, toolUse("mcp__stripe__refund", { amount: 900 }));
    await scene.waitForApproval();
    await emergencyStop(ctx, { reason: "x" });
    expect(decisionOf(await held).decision).toBe("deny");
    expect(decisionOf(await scene.agent.post(PATH, call))).toMatchObject({
      reason: expect.stringMatching(/an emergency stop covers the agent/),
    });
  });

  it("for a bug of ours, which is logged and not shown", async () => {
    const { policies } = world.server.services;
    const { get } = policies;
    policies.get = () => {
      throw new TypeError("a bug");
    };
    try {
      const { decision, reason } = decisionOf(await scene.agent.post(PATH, call));
      expect({ decision, reason }).toEqual({
        decision: "deny",
        reason: expect.stringMatching(/went wrong.+request/),
      });
    } finally {
      policies.get = get;
    }
  });
});
