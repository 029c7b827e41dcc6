import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentCommand, Prisma } from "../../../src/db/generated/client.ts";
import { AgentCommandStatus } from "../../../src/db/generated/enums.ts";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { COMMAND_STATES } from "../../../src/domain/agent-commands/command-states.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandProgress } from "../../../src/domain/agent-commands/report-agent-command-progress.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import { sweepAgentCommands } from "../../../src/domain/agent-commands/sweep-agent-commands.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  type CommandScene,
  ERROR,
  NOW,
  after,
  commandIn,
  createCommandScene,
} from "../../support/command-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

type Status = AgentCommand["status"];

const STATUSES = Object.values(AgentCommandStatus);

let world: TestWorld;
let scene: CommandScene;
let agent: Ctx;
let operator: Ctx;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createCommandScene(world);
  ({ agent, operator } = scene);
});

async function readStatus(id: string): Promise<Status> {
  const where = { workspaceId_id: { workspaceId: operator.workspaceId, id } };
  return (await operator.db.agentCommand.findUniqueOrThrow({ where })).status;
}

/** Compares the stored totals with the rows. */
async function expectExactTotals(): Promise<void> {
  const kept = await world.server.database.query<{ facet: string; total: number }>(
    "SELECT facet, total FROM collection_total WHERE workspace_id = $1 AND collection = 'agent_commands' AND total <> 0",
    [operator.workspaceId],
  );
  const counted = await world.server.database.query<{ facet: string; total: number }>(
    `SELECT status::text AS facet, count(*)::int AS total FROM agent_command WHERE workspace_id = $1 GROUP BY status
     UNION ALL SELECT 'all', count(*)::int FROM agent_command WHERE workspace_id = $1`,
    [operator.workspaceId],
  );
  const inOrder = (rows: { facet: string }[]) => rows.toSorted((a, b) => a.facet.localeCompare(b.facet));
  expect(inOrder(kept)).toEqual(inOrder(counted));
}

/** The resulting status of each action by current status. All others are rejected. */
const ACTS: {
  name: string;
  act: (id: string) => Promise<{ status: Status }>;
  leads: Partial<Record<Status, Status>>;
}[] = [
  {
    name: "ack accepted",
    act: (id) => acknowledgeAgentCommand(agent, { id, outcome: "accepted" }),
    leads: {
      delivered: "acknowledged",
      // Repeating the call returns the same result.
      acknowledged: "acknowledged",
      running: "running",
      succeeded: "succeeded",
      failed: "failed",
      timed_out: "timed_out",
    },
  },
  {
    name: "ack rejected",
    act: (id) => acknowledgeAgentCommand(agent, { id, outcome: "rejected", reason: "no gripper" }),
    leads: { delivered: "rejected", rejected: "rejected" },
  },
  {
    name: "ack deferred",
    act: (id) => acknowledgeAgentCommand(agent, { id, outcome: "deferred", retryAfterSeconds: 5 }),
    leads: { delivered: "queued" },
  },
  {
    name: "progress",
    act: (id) => reportAgentCommandProgress(agent, { id, progress: 0.5, detail: "half" }),
    leads: { acknowledged: "running", running: "running" },
  },
  {
    name: "result succeeded",
    act: (id) => reportAgentCommandResult(agent, { id, status: "succeeded" }),
    leads: {
      acknowledged: "succeeded",
      running: "succeeded",
      succeeded: "succeeded",
      timed_out: "timed_out",
    },
  },
  {
    name: "result failed",
    act: (id) => reportAgentCommandResult(agent, { id, status: "failed", error: ERROR }),
    leads: { acknowledged: "failed", running: "failed", failed: "failed", timed_out: "timed_out" },
  },
  {
    name: "cancel",
    act: (id) => cancelAgentCommand(operator, { id, reason: "not needed" }),
    leads: {
      awaiting_approval: "canceled",
      queued: "canceled",
      delivered: "canceled",
      acknowledged: "canceled",
      running: "canceled",
      canceled: "canceled",
    },
  },
];

describe.each(ACTS)("$name", ({ act, leads }) => {
  it.each(STATUSES.map((from) => ({ from, to: leads[from] ?? "refused" })))(
    "$from: $to",
    async ({ from, to }) => {
      const id = await commandIn(scene, from);
      if (to !== "refused") {
        expect((await act(id)).status).toBe(to);
        expect(await readStatus(id)).toBe(to);
      } else {
        const refused = act(id);
        await expect(refused).rejects.toMatchObject({
          code: "invalid_state",
          details: { currentStatus: from },
        });
        expect(await readStatus(id)).toBe(from);
      }
      await expectExactTotals();
    },
  );

  it("changes nothing the second time", async () => {
    const from =
      STATUSES.find((status) => leads[status] !== undefined && leads[status] !== status) ?? "queued";
    const id = await commandIn(scene, from);
    const first = await act(id);
    const events = await readEventTypes(world.server, id);
    expect(await act(id)).toEqual(first);
    expect(await readEventTypes(world.server, id)).toEqual(events);
  });

  it("finds no unknown command", async () => {
    expect(await getErrorCode(act(crypto.randomUUID()))).toBe("not_found");
  });
});

describe("delivery", () => {
  const deliver = (redeliver: boolean) => nextAgentCommands(agent, { redeliver });

  it.each(STATUSES)("of a command with status %s", async (from) => {
    const id = await commandIn(scene, from);
    const isDelivered = from === "queued";
    expect((await deliver(false)).map((command) => command.id)).toEqual(isDelivered ? [id] : []);
    expect(await readStatus(id)).toBe(isDelivered ? "delivered" : from);
  });

  it.each(STATUSES)("again, of a command with status %s", async (from) => {
    const id = await commandIn(scene, from);
    const isDelivered = ["queued", "delivered"].includes(from);
    expect((await deliver(true)).map((command) => command.id)).toEqual(isDelivered ? [id] : []);
    expect(await readStatus(id)).toBe(isDelivered ? "delivered" : from);
  });
});

describe("sweepAgentCommands", () => {
  const due = { nextDeadlineAt: NOW };
  const sweep = () => sweepAgentCommands(world.server.services, NOW);
  const cases: {
    from: Status;
    to: Status;
    when: string;
    fields: Partial<Prisma.AgentCommandUncheckedCreateInput>;
  }[] = [
    { from: "queued", to: "expired", when: "nobody came for it in time", fields: { expiresAt: NOW } },
    { from: "delivered", to: "queued", when: "it was not acknowledged in time", fields: {} },
    { from: "delivered", to: "expired", when: "its time ends meanwhile", fields: { expiresAt: NOW } },
    {
      from: "delivered",
      to: "expired",
      when: "ten deliveries were of no use",
      fields: { deliveryAttempts: 10 },
    },
    { from: "acknowledged", to: "timed_out", when: "it brought no result in time", fields: {} },
    { from: "running", to: "timed_out", when: "it runs too long", fields: {} },
  ];

  it.each(cases)("changes a command from $from to $to if $when", async ({ from, to, fields }) => {
    const id = await commandIn(scene, from, { ...due, ...fields });
    await sweep();
    expect(await readStatus(id)).toBe(to);
    expect((await readEventTypes(world.server, id)).at(-1)).toBe(
      to === "queued" ? "agent_command.updated" : "agent_command.finished",
    );
    await expectExactTotals();
  });

  it.each(STATUSES)("leaves a command with status %s before its time", async (status) => {
    const id = await commandIn(scene, status, { nextDeadlineAt: after(1) });
    await sweep();
    expect(await readStatus(id)).toBe(status);
  });
});

describe("the statuses that allow an action", () => {
  it("match the table used in errors", async () => {
    const id = await commandIn(scene, "queued");
    const acts = [
      [() => acknowledgeAgentCommand(agent, { id, outcome: "accepted" }), COMMAND_STATES.acknowledge],
      [() => reportAgentCommandProgress(agent, { id }), COMMAND_STATES.progress],
      [() => reportAgentCommandResult(agent, { id, status: "succeeded" }), COMMAND_STATES.result],
    ] as const;
    for (const [act, allowed] of acts) {
      await expect(act()).rejects.toMatchObject({ details: { currentStatus: "queued", allowed } });
    }
  });
});
