import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { streamAgentCommands } from "../../../src/domain/agent-commands/stream-agent-commands.ts";
import { sweepAgentCommands } from "../../../src/domain/agent-commands/sweep-agent-commands.ts";
import { credentialId } from "../../../src/domain/actor.ts";
import { type Ctx, openCtx } from "../../../src/domain/context.ts";
import { append } from "../../../src/domain/events.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { userCtx } from "../../support/callers.ts";
import { NOW, after } from "../../support/command-scene.ts";
import { createAgent } from "../../support/factories.ts";
import { eventsOf } from "../../support/person-ctx.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type World, createWorld } from "../../support/world.ts";

let world: World;
let second: TestServer;
let operator: Ctx;
let agentId: string;
/** The same agent, at an instant. */
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
  agentId = await createAgent(ctx);
  at = (seconds) => agentCtx(world.server, { id: agentId, workspaceId }, { now: after(seconds) });
});

async function issue(type: string, more: object = {}): Promise<string> {
  const { commands } = await issueAgentCommands(operator, { agentId, type, ...more });
  return commands[0]?.id ?? "";
}

async function next(ctx: Ctx, input: object = {}): Promise<string[]> {
  return (await nextAgentCommands(ctx, input)).map(({ id }) => id);
}

const accept = (ctx: Ctx, id: string) => acknowledgeAgentCommand(ctx, { id, outcome: "accepted" });

describe("nextAgentCommands", () => {
  it("gives normal commands one by one in their order, each when the one before is acknowledged", async () => {
    const [first, then] = [await issue("custom.a"), await issue("custom.b")];
    expect(await next(at(0))).toEqual([first]);
    expect(await next(at(1))).toEqual([]);
    await accept(at(2), first);
    expect(await next(at(3))).toEqual([then]);
    expect(await eventsOf(world.server, first)).toEqual([
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

  it("gives as many as are asked for, of the priority that is asked for", async () => {
    const normal = await issue("custom.a");
    const urgent = [];
    for (let index = 0; index < 3; index++) urgent.push(await issue("agent.stop", { priority: "urgent" }));
    expect(await next(at(0), { limit: 2 })).toEqual(urgent.slice(0, 2));
    expect(await next(at(0), { priority: "normal" })).toEqual([normal]);
    expect(await next(at(0), { priority: "urgent" })).toEqual(urgent.slice(2));
  });

  it("gives nothing before its time, and holds back what stands behind it", async () => {
    const first = await issue("custom.a", { notBefore: after(60) });
    const then = await issue("custom.b");
    expect(await next(at(59))).toEqual([]);
    expect(await next(at(60))).toEqual([first]);
    await accept(at(61), first);
    expect(await next(at(61))).toEqual([then]);
  });

  it("gives nothing whose time is over, and what stands behind it", async () => {
    await issue("custom.a", { expiresInSeconds: 10 });
    const then = await issue("custom.b");
    expect(await next(at(10))).toEqual([then]);
  });

  it("keeps the place of what is deferred until it comes again", async () => {
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

  it("gives what is not acknowledged again: after the time for it, ten times, and at once where it is asked to", async () => {
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

  it("gives what pauses, resumes and stops an agent in the order of its issue, before anything else", async () => {
    const normal = await issue("custom.a");
    const [resume, stop, pause] = [
      await issue("agent.resume"),
      await issue("agent.stop", { priority: "normal" }),
      await issue("agent.pause"),
    ];
    expect(await next(at(0))).toEqual([resume, stop, pause, normal]);
  });

  it("never gives such a command again once the agent has a later one", async () => {
    const stop = await issue("agent.stop");
    expect(await next(at(0))).toEqual([stop]);
    const resume = await issue("agent.resume");
    expect(await next(at(1))).toEqual([resume]);
    expect(await next(at(2), { redeliver: true })).toEqual([resume]);
    await accept(at(3), resume);
    await sweepAgentCommands(world.server.services, after(40));
    expect(await next(at(40))).toEqual([]);
  });

  it("gives such a command again where the agent refused the later one", async () => {
    const stop = await issue("agent.stop");
    expect(await next(at(0))).toEqual([stop]);
    const resume = await issue("agent.resume");
    expect(await next(at(1))).toEqual([resume]);
    await acknowledgeAgentCommand(at(2), { id: resume, outcome: "rejected" });
    await sweepAgentCommands(world.server.services, after(40));
    expect(await next(at(40))).toEqual([stop]);
  });

  it("gives each command to one of many callers of the same agent", async () => {
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
  ])("refuses a %s out of range", async (field, input) => {
    await expect(nextAgentCommands(at(0), input)).rejects.toMatchObject({ details: { field } });
  });
});

describe("waiting for commands", () => {
  it.each(["the same node", "another node"])("ends with a command that is issued on %s", async (where) => {
    const own = { id: agentId, workspaceId: operator.workspaceId };
    const waiter = agentCtx(where === "another node" ? second : world.server, own);
    const given = nextAgentCommands(waiter, { waitSeconds: 20 });
    const { commands } = await issueAgentCommands({ ...operator, now: null }, { agentId, type: "custom.a" });
    expect((await given).map(({ id }) => id)).toEqual(commands.map(({ id }) => id));
  });

  it("wakes nobody but the agent that it is for", async () => {
    const { workspaceId } = operator;
    const bystander = agentCtx(world.server, { id: await createAgent(operator), workspaceId });
    const going = new AbortController();
    const patient = nextAgentCommands(bystander, { waitSeconds: 20 }, going.signal);
    const own = agentCtx(world.server, { id: agentId, workspaceId });
    const given = nextAgentCommands(own, { waitSeconds: 20 });
    await issueAgentCommands({ ...operator, now: null }, { agentId, type: "custom.a" });
    expect(await given).toHaveLength(1);
    going.abort();
    expect(await patient).toEqual([]);
  });

  it("gives each of many agents its own at once, delivered to it", async () => {
    const { workspaceId } = operator;
    const live = openCtx(world.server.services, operator);
    const agents = [agentId, await createAgent(operator), await createAgent(operator)];
    const waiting = agents.map((id) =>
      nextAgentCommands(agentCtx(world.server, { id, workspaceId }), { waitSeconds: 20 }),
    );
    await issueAgentCommands(live, { selector: { kind: "software" }, type: "custom.a" });
    const given = (await Promise.all(waiting)).flat();
    expect(given.map((command) => command.agentId)).toEqual(agents);
    const told = await world.server.database.query<{ actor: object }>(
      `SELECT actor FROM event WHERE workspace_id = $1 AND type = 'agent_command.delivered' ORDER BY agent_id`,
      [workspaceId],
    );
    const by = agents.toSorted().map((id) => ({ type: "agent", id, name: "An agent" }));
    expect(told.map(({ actor }) => actor)).toEqual(by);
  });

  it("gives each command to one of many who wait for the same agent", async () => {
    const live = openCtx(world.server.services, operator);
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const waiting = [1, 2, 3].map(() => nextAgentCommands(own, { waitSeconds: 20, limit: 1 }));
    const ids: string[] = [];
    for (const type of ["robot.stop", "robot.dock", "robot.localize"]) {
      const { commands } = await issueAgentCommands(live, { agentId, type, priority: "urgent" });
      ids.push(...commands.map(({ id }) => id));
    }
    const given = (await Promise.all(waiting)).map((commands) => commands.map(({ id }) => id));
    expect(given.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(given.flat().toSorted()).toEqual(ids.toSorted());
  });

  it("asks the database about once a second, however much is told of others", async () => {
    const { services, systemCtx } = world.server;
    let looks = 0;
    const database: typeof services.database = {
      ...services.database,
      read: (statement, values) => {
        if (statement.name === "agent_command_due") looks++;
        return services.database.read(statement, values);
      },
    };
    const { workspaceId } = operator;
    const counted = { services: { ...services, database }, systemCtx };
    const going = new AbortController();
    const begunMs = performance.now();
    const patient = nextAgentCommands(
      agentCtx(counted, { id: agentId, workspaceId }),
      { waitSeconds: 20 },
      going.signal,
    );
    const other = await createAgent(operator);
    const live = openCtx(services, operator);
    for (let turn = 0; turn < 40; turn++)
      await issueAgentCommands(live, { agentId: other, type: "custom.a" });
    going.abort();
    expect(await patient).toEqual([]);
    expect(looks).toBeLessThanOrEqual(3 + (performance.now() - begunMs) / 1000);
  });

  it("is refused once the credential is revoked", async () => {
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const given = nextAgentCommands(own, { waitSeconds: 20 });
    const subjectId = credentialId(own.actor) ?? "";
    await operator.transaction((tx) =>
      append(tx, { events: [], revocations: [{ kind: "api_key", subjectId, reason: "revoked" }] }),
    );
    await expect(given).rejects.toMatchObject({ code: "invalid_token" });
  });

  it("ends with what becomes its turn when the one before it is canceled", async () => {
    const live = openCtx(world.server.services, operator);
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const first = await issueAgentCommands(live, { agentId, type: "custom.a" });
    const then = await issueAgentCommands(live, { agentId, type: "custom.b" });
    await nextAgentCommands(own, {});
    const given = nextAgentCommands(own, { waitSeconds: 20 });
    await cancelAgentCommand(live, { id: first.commands[0]?.id ?? "" });
    expect((await given).map(({ id }) => id)).toEqual([then.commands[0]?.id]);
  });

  it("ends with what becomes due by time alone", async () => {
    const live = openCtx(world.server.services, operator);
    const notBefore = new Date(Date.now() + 1500);
    const { commands } = await issueAgentCommands(live, { agentId, type: "custom.a", notBefore });
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const given = await nextAgentCommands(own, { waitSeconds: 20 });
    expect(given.map(({ id }) => id)).toEqual([commands[0]?.id]);
    expect(Number(given[0]?.deliveredAt)).toBeGreaterThanOrEqual(notBefore.getTime());
  });

  it("ends with nothing when the time is over", async () => {
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    expect(await nextAgentCommands(own, { waitSeconds: 1 })).toEqual([]);
  });
});

describe("streamAgentCommands", () => {
  it("brings what is not acknowledged again first, then what comes, and ends at once", async () => {
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
