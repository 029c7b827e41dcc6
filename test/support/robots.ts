import type { Robot } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { listEvents } from "../../src/domain/event-log/list-events.ts";
import { reportRobotState } from "../../src/domain/robots/report-robot-state.ts";
import { agentCtx } from "./agent-ctx.ts";
import { insertTestAgent } from "./factories.ts";
import type { TestServer } from "./server.ts";

type Report = Parameters<typeof reportRobotState>[1];

/** A robot that reports through a node. */
export type TestRobot = {
  id: string;
  ctx: Ctx;
  /** Reports a state: idle and without errors, except for the given fields. */
  report: (stateSeq: number, state?: Partial<Report>) => ReturnType<typeof reportRobotState>;
  row: () => Promise<Robot>;
  /** The same robot on another node, or at another time. */
  at: (server: TestServer, now?: Date | null) => TestRobot;
};

/** Creates a robot without reports. */
export async function createRobot(server: TestServer, workspaceId: string): Promise<TestRobot> {
  return robotAt(server, { id: await insertTestAgent(server.systemCtx(workspaceId), "robot"), workspaceId });
}

function robotAt(
  server: TestServer,
  whose: { id: string; workspaceId: string },
  now: Date | null = null,
): TestRobot {
  const ctx = agentCtx(server, whose, { now });
  return {
    id: whose.id,
    ctx,
    report: (stateSeq, state = {}) =>
      reportRobotState(ctx, { stateSeq, operatingMode: "automatic", ...state }),
    row: () => server.systemCtx(whose.workspaceId).db.robot.findFirstOrThrow({ where: { id: whose.id } }),
    at: (other, then = null) => robotAt(other, whose, then),
  };
}

/** The events about a robot, oldest first, with types and data. */
export async function robotEvents(ctx: Ctx, id: string): Promise<{ type: string; data: unknown }[]> {
  const { epoch } = await ctx.db.workspaceHead.findFirstOrThrow({ select: { epoch: true } });
  const after = Buffer.from(`v1.${epoch}.0`).toString("base64url");
  const { events } = await listEvents(ctx, { after, subjectId: id, types: ["robot.*"], first: 500 });
  return events.map(({ type, data }) => ({ type, data }));
}
