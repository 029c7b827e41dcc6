import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentCommand } from "../../../src/db/generated/client.ts";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandProgress } from "../../../src/domain/agent-commands/report-agent-command-progress.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import { readLogged, runWhileEventsBreak } from "../../support/broken-events.ts";
import { type CommandScene, commandIn, createCommandScene } from "../../support/command-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

type Act = (scene: CommandScene, id: string) => Promise<unknown>;

/** The event and audit event of each action, from a status in which it has an effect. Agents' actions are not audited. */
const LOGGED: { name: string; from: AgentCommand["status"]; act: Act; event: string; acts: string[] }[] = [
  {
    name: "delivery",
    from: "queued",
    act: ({ agent }) => nextAgentCommands(agent, {}),
    event: "agent_command.delivered",
    acts: [],
  },
  {
    name: "ack accepted",
    from: "delivered",
    act: ({ agent }, id) => acknowledgeAgentCommand(agent, { id, outcome: "accepted" }),
    event: "agent_command.acknowledged",
    acts: [],
  },
  {
    name: "ack rejected",
    from: "delivered",
    act: ({ agent }, id) => acknowledgeAgentCommand(agent, { id, outcome: "rejected" }),
    event: "agent_command.finished",
    acts: [],
  },
  {
    name: "ack deferred",
    from: "delivered",
    act: ({ agent }, id) => acknowledgeAgentCommand(agent, { id, outcome: "deferred" }),
    event: "agent_command.updated",
    acts: [],
  },
  {
    name: "the first progress",
    from: "acknowledged",
    act: ({ agent }, id) => reportAgentCommandProgress(agent, { id, progress: 0.5 }),
    event: "agent_command.updated",
    acts: [],
  },
  {
    name: "result",
    from: "running",
    act: ({ agent }, id) => reportAgentCommandResult(agent, { id, status: "succeeded" }),
    event: "agent_command.finished",
    acts: [],
  },
  {
    name: "a late result",
    from: "timed_out",
    act: ({ agent }, id) => reportAgentCommandResult(agent, { id, status: "succeeded" }),
    event: "agent_command.updated",
    acts: [],
  },
  {
    name: "cancel",
    from: "running",
    act: ({ operator }, id) => cancelAgentCommand(operator, { id }),
    event: "agent_command.finished",
    acts: ["agent_command.canceled"],
  },
  {
    name: "the issue of another",
    from: "queued",
    act: ({ operator, agentId }) => issueAgentCommands(operator, { agentId, type: "custom.look" }),
    event: "agent_command.created",
    acts: ["agent_command.issued"],
  },
];

describe.each(LOGGED)("$name of a command with status $from", ({ from, act, event, acts }) => {
  it("writes the change, event and audit event in one transaction", async () => {
    const scene = await createCommandScene(world);
    const { workspaceId, db } = scene.operator;
    const { database } = world.server;
    const id = await commandIn(scene, from);
    const before = [await db.agentCommand.findMany(), await readLogged(database, workspaceId)] as const;
    const failed = await runWhileEventsBreak(database, async () => act(scene, id).catch(() => "failed"));
    expect(failed).toBe("failed");
    expect([await db.agentCommand.findMany(), await readLogged(database, workspaceId)]).toEqual(before);
    await act(scene, id);
    expect(await readLogged(database, workspaceId)).toEqual({
      events: [...before[1].events, event],
      acts: [...before[1].acts, ...acts],
    });
  });
});

describe("later progress of a command", () => {
  it("writes no event, audit event or generation", async () => {
    const scene = await createCommandScene(world);
    const { workspaceId } = scene.operator;
    const id = await commandIn(scene, "running");
    const before = await readLogged(world.server.database, workspaceId);
    const { generation } = await reportAgentCommandProgress(scene.agent, { id, progress: 0.5 });
    expect(generation).toBe(1);
    expect(await readLogged(world.server.database, workspaceId)).toEqual(before);
  });
});
