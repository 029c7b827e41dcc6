import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { deleteOldRows } from "../../../src/domain/retention/delete-old-rows.ts";
import { createRetentionPlaces } from "../../../src/domain/retention/retention-places.ts";
import { RETENTION_RULES } from "../../../src/domain/retention/retention-rules.ts";
import { buildRetentionStatements } from "../../../src/domain/retention/retention-statements.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type MissionScene, missionIn, robotAt } from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

const REJECTED = { code: "validation_failed", details: { field: "missionId" } };

/** Writes that refer to a mission, and whether they keep it. */
const NAMING: [
  string,
  (operator: Ctx, missionId: string, scene: MissionScene) => Promise<unknown>,
  boolean,
][] = [
  ["a message", (operator, missionId) => sendMessage(operator, { missionId, parts: [{ text: "x" }] }), false],
  [
    "a command",
    (operator, missionId, scene) =>
      issueAgentCommands(operator, { agentId: robotAt(scene).robotId, type: "custom.look", missionId }),
    true,
  ],
];

/** Deletes missions like the sweep. */
async function deleteOldMissions(operator: Ctx): Promise<number> {
  const rule = RETENTION_RULES.find(({ table }) => table === "mission");
  if (rule === undefined) throw new Error("no rule for missions");
  const one = { rule, statements: buildRetentionStatements(rule) };
  const place = createRetentionPlaces(rule).get(operator.workspaceId);
  return (await operator.transaction((tx) => deleteOldRows(tx, one, place))).deleted;
}

/** A mission that ended long enough ago for the next sweep. */
async function oldMission() {
  const { scene, id } = await missionIn(quiet, "canceled");
  const { operator } = scene;
  operator.now = new Date((operator.now?.getTime() ?? 0) + 100 * 86_400_000);
  return { scene, operator, id };
}

describe.each(NAMING)("%s about an old mission", (_what, write, keepsIt) => {
  it("is rejected with the field if the mission is deleted concurrently", async () => {
    const { scene, operator, id } = await oldMission();
    // The sweep has deleted it, but not committed.
    const head = await holdLock(
      quiet.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [scene.workspaceId],
    );
    const sweeping = deleteOldMissions(operator);
    await head.waiters(1);
    const writing = expect(write(operator, id, scene)).rejects.toMatchObject(REJECTED);
    await head.waiters(2);
    await head.release();
    await sweeping;
    await writing;
    expect(await operator.db.mission.count({ where: { id } })).toBe(0);
  });

  it("prevents its deletion until committed", async () => {
    const { scene, operator, id } = await oldMission();
    const head = await holdLock(
      quiet.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [scene.workspaceId],
    );
    const writing = write(operator, id, scene);
    await head.waiters(1);
    expect(await deleteOldMissions(operator)).toBe(0);
    await head.release();
    await writing;
    expect(await deleteOldMissions(operator)).toBe(keepsIt ? 0 : 1);
  });
});
