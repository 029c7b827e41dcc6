import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentCommand } from "../../../src/db/generated/client.ts";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { COMMAND_STATES, isCommandOver } from "../../../src/domain/agent-commands/command-states.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandProgress } from "../../../src/domain/agent-commands/report-agent-command-progress.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import { sweepAgentCommands } from "../../../src/domain/agent-commands/sweep-agent-commands.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { userCtx } from "../../support/callers.ts";
import { NOW } from "../../support/command-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { runs } from "../../support/property-runs.ts";

/** An action. `which` selects one of the commands. */
type Act =
  | { do: "issue"; urgent: boolean; expiresIn: number; notBefore: number | null }
  | { do: "next"; redeliver: boolean }
  | { do: "accept" | "reject" | "defer" | "progress" | "succeed" | "fail" | "cancel"; which: number }
  | { do: "sweep" };

/** Concurrent actions, the time until the next moment, and whether a node restarts meanwhile. */
type Moment = { acts: Act[]; seconds: number; restarts: boolean };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("issue" as const),
      urgent: fc.constantFrom(true, false, false, false),
      expiresIn: fc.integer({ min: 1, max: 900 }),
      notBefore: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 2 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("next" as const), redeliver: fc.boolean() }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(["accept", "accept", "reject", "defer", "progress", "succeed", "fail", "cancel"] as const),
      ),
      which: fc.nat(30),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: "sweep" } as const) },
);

/** Most moments are short; long ones let timeouts pass. */
const moment: fc.Arbitrary<Moment> = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 4 }),
  seconds: fc.constantFrom(0, 0, 1, 1, 5, 5, 31, 31, 200, 601),
  restarts: fc.nat(40).map((chance) => chance === 1),
});

const ERROR = { code: "jammed", message: "The gripper is jammed." };

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

async function restartSecond(): Promise<void> {
  await second.stop();
  second = await startOn(world.server.database);
}

/** One agent and one operator of a workspace, and the observed commands. */
type Play = {
  workspaceId: string;
  agentId: string;
  now: Date;
  /** By id, once they have finished. */
  ended: Map<string, AgentCommand>;
};

function agentOn(node: TestServer, { workspaceId, agentId, now }: Play): Ctx {
  return agentCtx(node, { id: agentId, workspaceId }, { now });
}

function openOperatorCtx({ workspaceId, now }: Play): Ctx {
  return openCtx(world.server.services, userCtx(world.server, workspaceId, "operator"), now);
}

async function readCommands(play: Play): Promise<AgentCommand[]> {
  return openOperatorCtx(play).db.agentCommand.findMany({ where: {}, orderBy: { seq: "asc" } });
}

type Scene = { commands: readonly AgentCommand[]; node: TestServer };

async function perform(play: Play, one: Act, { commands, node }: Scene): Promise<void> {
  const agent = agentOn(node, play);
  switch (one.do) {
    case "issue": {
      const { urgent, expiresIn, notBefore } = one;
      await issueAgentCommands(openOperatorCtx(play), {
        agentId: play.agentId,
        type: "custom.turn",
        priority: urgent ? "urgent" : "normal",
        expiresInSeconds: expiresIn,
        notBefore: notBefore === null ? null : new Date(play.now.getTime() + notBefore * 1000),
      });
      return;
    }
    case "next":
      await nextAgentCommands(agent, { redeliver: one.redeliver });
      return;
    case "sweep":
      await sweepAgentCommands(world.server.services, play.now);
      return;
    default: {
      const command = commands[one.which % Math.max(commands.length, 1)];
      if (command !== undefined) await performOn(play, agent, { what: one.do, id: command.id });
    }
  }
}

type LoggedEvent = { what: Exclude<Act["do"], "issue" | "next" | "sweep">; id: string };

async function performOn(play: Play, agent: Ctx, { what, id }: LoggedEvent): Promise<void> {
  switch (what) {
    case "accept":
      await acknowledgeAgentCommand(agent, { id, outcome: "accepted" });
      return;
    case "reject":
      await acknowledgeAgentCommand(agent, { id, outcome: "rejected" });
      return;
    case "defer":
      await acknowledgeAgentCommand(agent, { id, outcome: "deferred", retryAfterSeconds: 40 });
      return;
    case "progress":
      await reportAgentCommandProgress(agent, { id, progress: 0.5 });
      return;
    case "succeed":
      await reportAgentCommandResult(agent, { id, status: "succeeded", result: { by: id } });
      return;
    case "fail":
      await reportAgentCommandResult(agent, { id, status: "failed", error: ERROR });
      return;
    case "cancel":
      await cancelAgentCommand(openOperatorCtx(play), { id });
  }
}

/** Only what the table forbids is rejected. */
async function performAll(play: Play, acts: readonly Act[]): Promise<void> {
  const commands = await readCommands(play);
  const results = await Promise.allSettled(
    acts.map((one, index) => perform(play, one, { commands, node: index % 2 === 0 ? world.server : second })),
  );
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") continue;
    expect(result.reason).toMatchObject({ code: "invalid_state" });
    const one = acts[index];
    if (acts.length > 1 || one === undefined || !("which" in one)) continue;
    const from = commands[one.which % commands.length]?.status ?? "queued";
    expect(isInTable(one.do, from), `${one.do} of a command that is ${from}`).toBe(false);
  }
}

function isInTable(what: LoggedEvent["what"], from: AgentCommand["status"]): boolean {
  const acts = { progress: "progress", succeed: "result", fail: "result", cancel: "cancel" } as const;
  const states: readonly string[] = COMMAND_STATES[what in acts ? acts[what as "cancel"] : "acknowledge"];
  return states.includes(from);
}

async function expectInvariants(play: Play): Promise<void> {
  const commands = await readCommands(play);
  expect(commands.map(({ seq }) => Number(seq))).toEqual(commands.map((_each, index) => index + 1));
  const unacknowledged = commands.filter(
    ({ status, priority }) => status === "delivered" && priority === "normal",
  );
  expect(unacknowledged.length).toBeLessThanOrEqual(1);
  for (const command of commands) {
    const { status, late, finishedAt, result, error } = command;
    const open = !isCommandOver(command);
    expect([finishedAt === null, command.nextDeadlineAt !== null]).toEqual([open, open]);
    const known = play.ended.get(command.id);
    // Final statuses don't change. Only a late result adds to them, once.
    if (known?.late === true) expect(command).toEqual(known);
    else if (known !== undefined)
      expect({ status, finishedAt }).toEqual({ status: known.status, finishedAt: known.finishedAt });
    if (known !== undefined && !late)
      expect({ result, error }).toEqual({ result: known.result, error: known.error });
    if (late) expect(status).toBe("timed_out");
    if (!open) play.ended.set(command.id, command);
  }
}

/** Compares the event log and totals with the rows. */
async function expectLogged(play: Play): Promise<void> {
  const { query } = world.server.database;
  const ends = await query<{ ends: string }>(
    `SELECT count(*) AS ends FROM event WHERE workspace_id = $1 AND type = 'agent_command.finished' GROUP BY subject_id`,
    [play.workspaceId],
  );
  expect(ends.map((row) => row.ends)).toEqual([...play.ended.keys()].map(() => "1"));
  const accepted = await query<{ seq: number }>(
    `SELECT (data->>'seq')::int AS seq FROM event
     WHERE workspace_id = $1 AND type = 'agent_command.acknowledged' AND data->>'priority' = 'normal' ORDER BY event.seq`,
    [play.workspaceId],
  );
  expect(accepted).toEqual(accepted.toSorted((a, b) => a.seq - b.seq));
  const wrong = await query(
    `SELECT facet FROM collection_total t WHERE workspace_id = $1 AND collection = 'agent_commands' AND total <> (
       SELECT count(*) FROM agent_command c
       WHERE c.workspace_id = t.workspace_id AND t.facet IN ('all', c.status::text))`,
    [play.workspaceId],
  );
  expect(wrong).toEqual([]);
}

describe("commands under random actions of an operator, an agent, node restarts and time", () => {
  it("keep their order and numbers, and finish exactly once", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 5, maxLength: 25 }), async (moments) => {
        const { ctx, workspaceId } = await world.another();
        const agentId = await insertTestAgent(ctx);
        const play: Play = { workspaceId, agentId, now: NOW, ended: new Map() };
        for (const { acts, seconds, restarts } of moments) {
          await performAll(play, acts);
          if (restarts) await restartSecond();
          await expectInvariants(play);
          play.now = new Date(play.now.getTime() + seconds * 1000);
        }
        // Nobody acts any more: time alone finishes every command.
        for (const seconds of [1000, 1000, 1000]) {
          play.now = new Date(play.now.getTime() + seconds * 1000);
          await sweepAgentCommands(second.services, play.now);
          await expectInvariants(play);
        }
        expect((await readCommands(play)).filter((command) => !isCommandOver(command))).toEqual([]);
        await expectLogged(play);
      }),
      { numRuns: runs(25), endOnFailure: true },
    );
  });
});
