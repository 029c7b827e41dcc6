import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DUE } from "../../../src/domain/agent-commands/command-watch.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { credentialId } from "../../../src/domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { append } from "../../../src/domain/kernel/events.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { userCtx } from "../../support/callers.ts";
import { NOW } from "../../support/command-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { watchReads } from "../../support/failing-reads.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let second: TestServer;
let operator: Ctx;
let agentId: string;

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
});

describe("waiting for commands", () => {
  it.each(["the same node", "another node"])("ends with a command issued on %s", async (where) => {
    const own = { id: agentId, workspaceId: operator.workspaceId };
    const waiter = agentCtx(where === "another node" ? second : world.server, own);
    const given = nextAgentCommands(waiter, { waitSeconds: 20 });
    const { commands } = await issueAgentCommands({ ...operator, now: null }, { agentId, type: "custom.a" });
    expect((await given).map(({ id }) => id)).toEqual(commands.map(({ id }) => id));
  });

  it("wakes only the command's agent", async () => {
    const { workspaceId } = operator;
    const bystander = agentCtx(world.server, { id: await insertTestAgent(operator), workspaceId });
    const going = new AbortController();
    const patient = nextAgentCommands(bystander, { waitSeconds: 20 }, going.signal);
    const own = agentCtx(world.server, { id: agentId, workspaceId });
    const given = nextAgentCommands(own, { waitSeconds: 20 });
    await issueAgentCommands({ ...operator, now: null }, { agentId, type: "custom.a" });
    expect(await given).toHaveLength(1);
    going.abort();
    expect(await patient).toEqual([]);
  });

  it("delivers each of many agents its own command at once", async () => {
    const { workspaceId } = operator;
    const live = openCtx(world.server.services, operator);
    const agents = [agentId, await insertTestAgent(operator), await insertTestAgent(operator)];
    const waiting = agents.map((id) =>
      nextAgentCommands(agentCtx(world.server, { id, workspaceId }), { waitSeconds: 20 }),
    );
    await issueAgentCommands(live, { selector: { kind: "software" }, type: "custom.a" });
    const given = (await Promise.all(waiting)).flat();
    expect(given.map((command) => command.agentId)).toEqual(agents);
    const rows = await world.server.database.query<{ actor: object }>(
      `SELECT actor FROM event WHERE workspace_id = $1 AND type = 'agent_command.delivered' ORDER BY agent_id`,
      [workspaceId],
    );
    const by = agents.toSorted().map((id) => ({ type: "agent", id, name: "An agent" }));
    expect(rows.map(({ actor }) => actor)).toEqual(by);
  });

  it("delivers each command to one of many waiting callers", async () => {
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

  it("delivers a normal command at once, even behind a caller waiting for urgent ones", async () => {
    const live = openCtx(world.server.services, operator);
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const going = new AbortController();
    const { commands } = await issueAgentCommands(live, { agentId, type: "custom.a" });
    const urgent = nextAgentCommands(own, { waitSeconds: 20, priority: "urgent" }, going.signal);
    const normal = nextAgentCommands(own, { waitSeconds: 20, priority: "normal" });
    const first = await Promise.race([urgent, normal]);
    expect(first.map(({ id }) => id)).toEqual([commands[0]?.id]);
    going.abort();
    expect(await urgent).toEqual([]);
  });

  it("queries the database about once a second, however many commands others get", async () => {
    const { services } = world.server;
    const counted = watchReads(world.server, (statement) => statement === DUE);
    const { workspaceId } = operator;
    const going = new AbortController();
    const begunMs = performance.now();
    const patient = nextAgentCommands(
      agentCtx(counted, { id: agentId, workspaceId }),
      { waitSeconds: 20 },
      going.signal,
    );
    const other = await insertTestAgent(operator);
    const live = openCtx(services, operator);
    for (let turn = 0; turn < 40; turn++)
      await issueAgentCommands(live, { agentId: other, type: "custom.a" });
    going.abort();
    expect(await patient).toEqual([]);
    expect(counted.count()).toBeLessThanOrEqual(3 + (performance.now() - begunMs) / 1000);
  });

  it("ends with a new command while the database can't be asked what is due", async () => {
    const looks = watchReads(world.server, (statement) => statement === DUE);
    const own = agentCtx(looks, { id: agentId, workspaceId: operator.workspaceId });
    const given = nextAgentCommands(own, { waitSeconds: 25 });
    await expect.poll(looks.count).toBeGreaterThan(0);
    looks.fail();
    const failed = () => world.server.logged.filter((line) => line.includes("due commands can't be read"));
    await expect.poll(failed).not.toEqual([]);
    const { commands } = await issueAgentCommands({ ...operator, now: null }, { agentId, type: "custom.a" });
    expect((await given).map(({ id }) => id)).toEqual([commands[0]?.id]);
  });

  it("is rejected once the credential is revoked", async () => {
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const given = expect(nextAgentCommands(own, { waitSeconds: 20 })).rejects.toMatchObject({
      code: "invalid_token",
    });
    const subjectId = credentialId(own.actor) ?? "";
    await operator.transaction(async (tx) =>
      append(tx, { events: [], revocations: [{ kind: "api_key", subjectId, reason: "revoked" }] }),
    );
    await given;
  });

  it("ends with the next command when the one before it is canceled", async () => {
    const live = openCtx(world.server.services, operator);
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const first = await issueAgentCommands(live, { agentId, type: "custom.a" });
    const then = await issueAgentCommands(live, { agentId, type: "custom.b" });
    await nextAgentCommands(own, {});
    const given = nextAgentCommands(own, { waitSeconds: 20 });
    await cancelAgentCommand(live, { id: first.commands[0]?.id ?? "" });
    expect((await given).map(({ id }) => id)).toEqual([then.commands[0]?.id]);
  });

  it("ends with a command that becomes due", async () => {
    const live = openCtx(world.server.services, operator);
    const notBefore = new Date(Date.now() + 1500);
    const { commands } = await issueAgentCommands(live, { agentId, type: "custom.a", notBefore });
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    const given = await nextAgentCommands(own, { waitSeconds: 20 });
    expect(given.map(({ id }) => id)).toEqual([commands[0]?.id]);
    expect(Number(given[0]?.deliveredAt)).toBeGreaterThanOrEqual(notBefore.getTime());
  });

  it("ends without a command when the time is over", async () => {
    const own = agentCtx(world.server, { id: agentId, workspaceId: operator.workspaceId });
    expect(await nextAgentCommands(own, { waitSeconds: 1 })).toEqual([]);
  });
});
