import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readListVersion } from "../../../src/domain/list-version.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { sweepMissions } from "../../../src/domain/missions/sweep-missions.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { createAgent, createAgentCommand } from "../../support/factories.ts";
import { missionIn } from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** The lists that show which mission their rows are about, whole and in parts. */
const LISTS = [
  ["messages", null],
  ["tasks", null],
  ["tasks", "submitted"],
  ["agent_commands", null],
  ["agent_commands", "queued"],
] as const;

describe("deleteOldMissions", () => {
  it("gives every list a new version in which a row no longer names the mission", async () => {
    const { scene, id: missionId } = await missionIn(quiet, "canceled");
    const ctx = quiet.systemCtx(scene.workspaceId);
    const { id: taskId } = await createTask(ctx, { title: "x" });
    await ctx.db.task.updateMany({ where: { id: taskId }, data: { missionId } });
    const message = await sendMessage(ctx, { missionId, parts: [{ text: "x" }] });
    const commandId = await createAgentCommand(ctx, await createAgent(ctx), { missionId });
    const versions = () => Promise.all(LISTS.map(([of, status]) => readListVersion(ctx, of, status)));
    const before = await versions();
    await sweepMissions(ctx.services, new Date("2100-05-01T00:00:00Z"));
    const [task, sent, command] = await Promise.all([
      ctx.db.task.findFirst({ where: { id: taskId } }),
      ctx.db.message.findFirst({ where: { id: message.message.id } }),
      ctx.db.agentCommand.findFirst({ where: { id: commandId } }),
    ]);
    expect([task?.missionId, sent?.missionId, command?.missionId]).toEqual([null, null, null]);
    const after = await versions();
    expect(LISTS.filter((_list, index) => after[index] === before[index])).toEqual([]);
  });
});
