import { beforeAll, describe, expect, it } from "vitest";
import type { Schemas } from "../../src/client/api-types.ts";
import { type Client, DeniedError, createClient } from "../../src/client/client.ts";
import { denyApproval } from "../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../src/domain/approvals/grant-approval.ts";
import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { listReservations } from "../../src/domain/budgets/list-reservations.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { holdExecution } from "../../src/client/held-execution.ts";
import { setAgentControlState } from "../../src/domain/agents/set-agent-control-state.ts";
import { useClientScene } from "../support/client-scene.ts";
import { grantSeen } from "../support/approve.ts";
import { ALLOW, ASK } from "../support/gateway-scene.ts";
import { openSessionCtx } from "../support/open-session-ctx.ts";
import { createPerson, beginTestSession } from "../support/people.ts";

type Refund = { amount: number };

const scene = useClientScene();
let person: Ctx;

beforeAll(async () => {
  const { server, ctx, workspaceId } = scene.world;
  await createPolicy(ctx, ALLOW);
  await createPolicy(ctx, { ...ASK, approval: { edits: true } });
  await createPolicy(ctx, {
    ...ASK,
    name: "no millions",
    effect: "deny",
    when: "has(args.amount) && args.amount > 1e6",
  });
  const operator = await createPerson(server, workspaceId, { role: "operator" });
  person = await openSessionCtx(server, await beginTestSession(server, operator));
});

/** Waits until people are asked. @returns the approval's id. */
async function waitForQuestion(): Promise<string> {
  for await (const frame of scene.operator.events({ after: scene.newest, types: ["approval.requested"] })) {
    if (frame.kind === "event") return frame.event.subject_id;
  }
  throw new Error("the events ended");
}

async function readExecution(key: string): Promise<Schemas["WholeExecution"]> {
  return (await scene.agent.send("GET /gateway/executions/{id}", { id: key })).execution;
}

/** A client whose first check is answered at once, as one is after 25 s. */
function createWaiter(): { client: Client; waiting: Promise<string> } {
  let arrived: (id: string) => void = () => {};
  const waiting = new Promise<string>((resolve) => (arrived = resolve));
  const client = createClient({
    ...{ url: scene.world.server.url, token: scene.world.apiKey, agent: { handle: scene.handle } },
    log: () => {},
    fetch: (input, init) => {
      const [, id] =
        /\/gateway\/approvals\/([^?]+)/.exec(input instanceof Request ? input.url : input.toString()) ?? [];
      if (id !== undefined) arrived(id);
      const { body } = init ?? {};
      if (typeof body !== "string") return fetch(input, init);
      return fetch(input, { ...init, body: body.replace('"wait":25', '"wait":0') });
    },
  });
  return { client, waiting };
}

describe("check", () => {
  const request = {
    action: { name: "tools/call", properties: { arguments: { amount: 900 } } },
    resource: { type: "tool", id: "stripe.refund" },
  };

  it("asks people only if told to, and is pending until they decide", async () => {
    expect(await scene.agent.check(request, { askPeople: false })).toMatchObject({
      ...{ status: "denied", reason: "approval_required" },
    });
    const { status, approval } = await scene.agent.check(request);
    expect(status).toBe("pending");
    expect(await scene.agent.check(request)).toMatchObject({
      status: "pending",
      approval: { id: approval?.id },
    });
  });

  it("waits for people longer than one request can", async () => {
    const { client, waiting } = createWaiter();
    const checked = client.check(request, { waitSeconds: 60 });
    await grantSeen(person, await waiting);
    expect(await checked).toMatchObject({ status: "allowed", reason: "approval_granted" });
  });

  it("does not ask again for what was canceled", async () => {
    const { client, waiting } = createWaiter();
    const checked = client.check(request, { waitSeconds: 60 });
    await scene.agent.send("POST /gateway/approvals/{id}/cancel", { id: await waiting });
    expect(await checked).toMatchObject({ status: "denied", reason: "approval_required" });
  });

  it("ends with its signal", async () => {
    const asked = scene.agent.check(request, { waitSeconds: 60, signal: scene.stop.signal });
    await waitForQuestion();
    scene.stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

describe("gated", () => {
  it("performs what policies allow without asking anybody", async () => {
    const refund = scene.agent.gated("stripe.refund", async ({ amount }: Refund, { fence }) => ({
      amount,
      fence,
    }));
    expect(await refund({ amount: 20 })).toEqual({ amount: 20, fence: null });
  });

  it("performs nothing that is denied, and says why", async () => {
    let calls = 0;
    const refund = scene.agent.gated("stripe.refund", async (_args: Refund) => void calls++);
    const error: unknown = await refund({ amount: 2e6 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DeniedError);
    expect(error).toMatchObject({
      message: "stripe.refund was denied (policy_deny).",
      check: { status: "denied", reason: "policy_deny" },
    });
    expect(calls).toBe(0);
  });

  it("performs what a person approves once, and reports its result", async () => {
    const refund = scene.agent.gated("stripe.refund", async ({ amount }: Refund, { key, fence }) => ({
      ...{ amount, key, fence },
    }));
    const refunded = refund({ amount: 900 });
    await grantSeen(person, await waitForQuestion());
    const { amount, key, fence } = await refunded;
    expect(await readExecution(key)).toMatchObject({
      ...{ status: "completed", fence, result: { amount, key, fence } },
    });
  });

  it("performs what a person made of the arguments", async () => {
    const refund = scene.agent.gated("stripe.refund", async (args: Refund) => args, { acceptEdits: true });
    const refunded = refund({ amount: 901 });
    await grantApproval(person, { id: await waitForQuestion(), arguments: { amount: 700 } });
    expect(await refunded).toEqual({ amount: 700 });
  });

  it("says what a person answered who denied it", async () => {
    const refund = scene.agent.gated("stripe.refund", async (args: Refund) => args);
    const refunded = refund({ amount: 902 });
    // Its rejection is looked at below.
    refunded.catch(() => {});
    await denyApproval(person, { id: await waitForQuestion(), comment: "Not without a receipt." });
    await expect(refunded).rejects.toThrow(
      "stripe.refund was denied (approval_denied): Not without a receipt.",
    );
  });

  it("says if nobody has decided in time", async () => {
    const refund = scene.agent.gated("stripe.refund", async (args: Refund) => args, { waitSeconds: 0 });
    await expect(refund({ amount: 903 })).rejects.toThrow("still waits for people");
  });

  it.each([
    ["none", "failed", "none"],
    ["partial", "failed", "partial"],
    [undefined, "unknown", "unknown"],
    ["nonsense", "unknown", "unknown"],
  ])("reports an error with the effect %s as %s", async (effect, status, stored) => {
    const keys: string[] = [];
    const refund = scene.agent.gated("stripe.refund", async (_args: Refund, { key }) => {
      keys.push(key);
      throw Object.assign(new Error("the bank is closed"), { effect, code: "bank_closed" });
    });
    const refunded = refund({ amount: 904 });
    refunded.catch(() => {});
    await grantSeen(person, await waitForQuestion());
    await expect(refunded).rejects.toThrow("the bank is closed");
    expect(await readExecution(keys[0] ?? "")).toMatchObject({
      ...{ status, effect: stored, error: { code: "bank_closed", message: "the bank is closed" } },
    });
  });

  it("reports what was done even if its result can't be sent", async () => {
    const keys: string[] = [];
    const refund = scene.agent.gated("stripe.refund", async (_args: Refund, { key }) => {
      keys.push(key);
      return 10n;
    });
    const refunded = refund({ amount: 905 });
    await grantSeen(person, await waitForQuestion());
    expect(await refunded).toBe(10n);
    expect(await readExecution(keys[0] ?? "")).toMatchObject({ status: "completed" });
  });

  it("settles what a call cost, and releases what was not done", async () => {
    const { ctx } = scene.world;
    await createBudget(ctx, {
      ...{
        name: `for ${scene.handle}`,
        scope: { type: "workspace" },
        unit: "usd",
        limit: "10",
        period: "total",
      },
      defaultEstimate: "1",
    });
    const call = scene.agent.gated(
      "llm.answer",
      async ({ fails }: { fails: boolean }, { spend }) => {
        if (fails) throw Object.assign(new Error("no"), { effect: "none" });
        spend({ usd: "0.25" });
      },
      { estimate: () => ({ usd: "0.50" }) },
    );
    await call({ fails: false });
    await expect(call({ fails: true })).rejects.toThrow("no");
    const { nodes } = await listReservations(ctx, {});
    expect(nodes.map(({ status }) => status).toSorted()).toEqual(["released", "settled"]);
  });

  it("reports what a call that people approved cost with its execution", async () => {
    const { ctx, server, apiKey } = scene.world;
    const scope = { type: "workspace" } as const;
    const budget = { name: `of ${scene.handle}`, scope, unit: "usd", limit: "100", period: "total" } as const;
    await createBudget(ctx, { ...budget, defaultEstimate: "1" });
    const settled: string[] = [];
    const client = createClient({
      ...{ url: server.url, token: apiKey, agent: { handle: scene.handle }, log: () => {} },
      fetch: (input, init) => {
        const url = input instanceof Request ? input.url : input.toString();
        if (url.includes("/settle")) settled.push(url);
        return fetch(input, init);
      },
    });
    const refund = client.gated("stripe.refund", async (_args: Refund, { key, spend }) => {
      spend({ usd: "0.25" });
      return key;
    });
    const refunded = refund({ amount: 907 });
    await grantApproval(person, { id: await waitForQuestion() });
    const executionId = await refunded;
    const { nodes } = await listReservations(ctx, {});
    expect(nodes.filter((one) => one.executionId === executionId)).toMatchObject([
      { status: "settled", amounts: { usd: 250_000n } },
    ]);
    expect(settled).toEqual([]);
  });
});

describe("holdExecution", () => {
  /** An execution of a large refund, with a short lease for its holder. */
  async function start(onLost: () => void) {
    const request = {
      action: { name: "tools/call", properties: { arguments: { amount: 906 } } },
      resource: { type: "tool", id: "stripe.refund" },
    };
    const checked = scene.agent.check(request, { waitSeconds: 60 });
    await grantSeen(person, await waitForQuestion());
    const { execution } = await checked;
    if (execution === undefined) throw new Error("nothing was executed");
    const { send } = scene.agent;
    const { agent_id: agentId } = await readExecution(execution.id);
    const log = (line: string) => void scene.logged.push(line);
    return {
      agentId,
      execution,
      held: holdExecution({ send, log }, { execution, leaseMs: 3000, lost: onLost }),
    };
  }

  it("notices when the agent is stopped, and can still report", async () => {
    let stopped = () => {};
    const lost = new Promise<void>((resolve) => (stopped = resolve));
    const { agentId, execution, held } = await start(() => stopped());
    await setAgentControlState(person, { id: agentId, controlState: "stopped" });
    await lost;
    await held.complete("all the same");
    expect(await readExecution(execution.id)).toMatchObject({ status: "completed", result: "all the same" });
  });

  it("keeps the lease", async () => {
    const { execution, held } = await start(() => {});
    let later = execution.lease_expires_at;
    while (later === execution.lease_expires_at) later = (await readExecution(execution.id)).lease_expires_at;
    expect(Date.parse(later)).toBeGreaterThan(Date.parse(execution.lease_expires_at));
    await held.complete(null);
  });

  it("logs what can't be reported", async () => {
    const { execution, held } = await start(() => {});
    const body = { fence: execution.fence, result: 1 };
    await scene.agent.send("POST /gateway/executions/{id}/complete", { id: execution.id, body });
    await held.fail(new Error("too late"));
    expect(scene.logged).toContainEqual(
      expect.stringContaining(`the execution ${execution.id} couldn't be reported`),
    );
  });
});
