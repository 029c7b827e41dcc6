import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { streamAgentCommands } from "../../../src/domain/agent-commands/stream-agent-commands.ts";
import { sweepAgentCommands } from "../../../src/domain/agent-commands/sweep-agent-commands.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { append } from "../../../src/domain/kernel/events.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { userCtx } from "../../support/callers.ts";
import { NOW, after } from "../../support/command-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let second: TestServer;
let operator: Ctx;
let agentId: string;
/** The same agent at this time. */
let at: (seconds: number) => Ctx;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

beforeEach(async () => {
  const { ctx, workspaceId } = await world.another();
  operator = openCtx(world.server.services, userCtx(world.server, workspaceId, "operator"), NOW);
  agentId = await insertTestAgent(ctx);
  at = (seconds) => agentCtx(world.server, { id: agentId, workspaceId }, { now: after(seconds) });
});

async function issue(type: string, more: object = {}): Promise<string> {
  const { commands } = await issueAgentCommands(operator, { agentId, type, ...more });
  return commands[0]?.id ?? "";
}

async function next(ctx: Ctx, input: object = {}): Promise<string[]> {
  return (await nextAgentCommands(ctx, input)).map(({ id }) => id);
}

/** Waits until this many requests wait for commands. */
async function untilWatched(count: number): Promise<void> {
  const waiting = () =>
    [world.server, second].flatMap(({ services }) => [...services.live.connections.all()]);
  await expect.poll(() => waiting().length).toBe(count);
}

const accept = (ctx: Ctx, id: string) => acknowledgeAgentCommand(ctx, { id, outcome: "accepted" });

describe("nextAgentCommands", () => {
  it.each([
    ["another", () => second],
    ["the same", () => world.server],
  ])("redelivers a command delivered to a closed connection at %s node", async (_where, node) => {
    const stopped = at(0);
    const running = openCtx(node().services, stopped, after(0));
    // The server doesn't notice that the first connection has closed: it delivers the command to nobody.
    const [deaf, waiting] = [
      next(stopped, { waitSeconds: 25 }),
      next(running, { waitSeconds: 25, redeliver: true }),
    ];
    await untilWatched(2);
    const id = await issue("custom.a");
    expect(await waiting).toEqual([id]);
    await accept(running, id);
    await issue("custom.b");
    await deaf;
  });

  it("redelivers a command that another node was delivering to a closed connection", async () => {
    const id = await issue("custom.a");
    const looks = vi.spyOn(second.services.database, "transaction");
    const running = openCtx(second.services, at(0));
    let waiting: Promise<string[]> | undefined;
    await at(0).transaction(async (tx) => {
      await tx.run({ name: "", text: "SET LOCAL idle_in_transaction_session_timeout = 0" }, []);
      const deliver = `UPDATE agent_command SET status = 'delivered', delivered_at = now(), delivery_attempts = 1,
        next_deadline_at = now() + interval '1 hour' WHERE workspace_id = $1::uuid AND id = $2::uuid`;
      await tx.run({ name: "", text: deliver }, [operator.workspaceId, id]);
      waiting = next(running, { waitSeconds: 25, redeliver: true });
      // Its first query is over, and found the row locked.
      await expect.poll(() => looks.mock.settledResults.length).toBeGreaterThan(0);
      const delivered = { type: "agent_command.delivered", subjectType: "agent_command" };
      append(tx, { events: [{ ...delivered, subjectId: id, agentId }] });
    });
    expect(await waiting).toEqual([id]);
  });

  it("delivers normal commands one by one, each after the acknowledgement of the previous one", async () => {
    const [first, then] = [await issue("custom.a"), await issue("custom.b")];
    expect(await next(at(0))).toEqual([first]);
    expect(await next(at(1))).toEqual([]);
    await accept(at(2), first);
    expect(await next(at(3))).toEqual([then]);
    expect(await readEventTypes(world.server, first)).toEqual([
      ...["agent_command.created", "agent_command.delivered", "agent_command.acknowledged"],
    ]);
  });

  it("lets urgent commands overtake, all at once and in their order", async () => {
    const [normal, one, two] = [
      await issue("custom.a"),
      await issue("agent.stop", { priority: "urgent" }),
      await issue("robot.stop", { priority: "urgent" }),
    ];
    expect(await next(at(0))).toEqual([one, two, normal]);
    const three = await issue("robot.stop", { priority: "urgent" });
    expect(await next(at(1))).toEqual([three]);
  });

  it("delivers the requested number and priority", async () => {
    const normal = await issue("custom.a");
    const urgent = [];
    for (let index = 0; index < 3; index++) urgent.push(await issue("agent.stop", { priority: "urgent" }));
    expect(await next(at(0), { limit: 2 })).toEqual(urgent.slice(0, 2));
    expect(await next(at(0), { priority: "normal" })).toEqual([normal]);
    expect(await next(at(0), { priority: "urgent" })).toEqual(urgent.slice(2));
  });

  it("delivers nothing before its time, and holds back later ones", async () => {
    const first = await issue("custom.a", { notBefore: after(60) });
    const then = await issue("custom.b");
    expect(await next(at(59))).toEqual([]);
    expect(await next(at(60))).toEqual([first]);
    await accept(at(61), first);
    expect(await next(at(61))).toEqual([then]);
  });

  it("skips expired commands and delivers later ones", async () => {
    await issue("custom.a", { expiresInSeconds: 10 });
    const then = await issue("custom.b");
    expect(await next(at(10))).toEqual([then]);
  });

  it("keeps the place of a deferred command", async () => {
    const [first, then] = [await issue("custom.a"), await issue("custom.b")];
    expect(await next(at(0))).toEqual([first]);
    await acknowledgeAgentCommand(at(0), {
      id: first,
      outcome: "deferred",
      retryAfterSeconds: 30,
      reason: "busy",
    });
    expect(await next(at(29))).toEqual([]);
    expect(await next(at(30))).toEqual([first]);
    await acknowledgeAgentCommand(at(30), { id: first, outcome: "rejected" });
    expect(await next(at(30))).toEqual([then]);
  });

  it("redelivers unacknowledged commands after their timeout, up to ten times, or at once on request", async () => {
    const id = await issue("custom.a");
    expect(await next(at(0))).toEqual([id]);
    expect(await next(at(1), { redeliver: true })).toEqual([id]);
    for (let attempt = 3; attempt <= 10; attempt++) {
      const seconds = 31 * (attempt - 2);
      await sweepAgentCommands(world.server.services, after(seconds));
      expect(await next(at(seconds))).toEqual([id]);
    }
    expect(await next(at(249), { redeliver: true })).toEqual([]);
    await sweepAgentCommands(world.server.services, after(280));
    expect(await next(at(280))).toEqual([]);
    const where = { workspaceId_id: { workspaceId: operator.workspaceId, id } };
    expect(await operator.db.agentCommand.findUnique({ where })).toMatchObject({
      status: "expired",
      deliveryAttempts: 10,
      statusDetail: "Not acknowledged after 10 deliveries.",
    });
  });

  it("delivers pause, resume and stop in order of issue before all others", async () => {
    const normal = await issue("custom.a");
    const [resume, stop, pause] = [
      await issue("agent.resume"),
      await issue("agent.stop", { priority: "normal" }),
      await issue("agent.pause"),
    ];
    expect(await next(at(0))).toEqual([resume, stop, pause, normal]);
  });

  it("never redelivers them once the agent has a later one", async () => {
    const stop = await issue("agent.stop");
    expect(await next(at(0))).toEqual([stop]);
    const resume = await issue("agent.resume");
    expect(await next(at(1))).toEqual([resume]);
    expect(await next(at(2), { redeliver: true })).toEqual([resume]);
    await accept(at(3), resume);
    await sweepAgentCommands(world.server.services, after(40));
    expect(await next(at(40))).toEqual([]);
  });

  it("redelivers them if the agent rejected the later one", async () => {
    const stop = await issue("agent.stop");
    expect(await next(at(0))).toEqual([stop]);
    const resume = await issue("agent.resume");
    expect(await next(at(1))).toEqual([resume]);
    await acknowledgeAgentCommand(at(2), { id: resume, outcome: "rejected" });
    await sweepAgentCommands(world.server.services, after(40));
    expect(await next(at(40))).toEqual([stop]);
  });

  it("delivers each command to one of many callers of the same agent", async () => {
    const ids = [];
    for (let index = 0; index < 5; index++) ids.push(await issue("agent.stop", { priority: "urgent" }));
    const normal = await issue("custom.a");
    await issue("custom.b");
    const own = { id: agentId, workspaceId: operator.workspaceId };
    const nodes = [world.server, second, world.server, second, world.server, second];
    const given = await Promise.all(nodes.map((node) => next(agentCtx(node, own, { now: NOW }))));
    expect(given.flat().toSorted()).toEqual([...ids, normal].toSorted());
  });

  it.each([
    ["limit", { limit: 0 }],
    ["limit", { limit: 101 }],
    ["waitSeconds", { waitSeconds: 26 }],
  ])("rejects a %s out of range", async (field, input) => {
    await expect(nextAgentCommands(at(0), input)).rejects.toMatchObject({ details: { field } });
  });
});

describe("streamAgentCommands", () => {
  it("redelivers unacknowledged commands first, then new ones, and ends at once", async () => {
    const live = openCtx(world.server.services, operator);
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const first = (await issueAgentCommands(live, { agentId, type: "custom.a" })).commands[0]?.id ?? "";
    await nextAgentCommands(own, {});
    const ended = new AbortController();
    const stream = streamAgentCommands(own, ended.signal);
    expect((await stream.next()).value).toMatchObject({ id: first, deliveryAttempts: 2 });
    const waiting = stream.next();
    await accept(own, first);
    const then = (await issueAgentCommands(live, { agentId, type: "custom.b" })).commands[0]?.id ?? "";
    expect((await waiting).value).toMatchObject({ id: then });
    const last = stream.next();
    ended.abort();
    expect(await last).toMatchObject({ done: true });
  });
});
