import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeHeldReports } from "../../../src/domain/robots/held-reports.ts";
import { createRobot } from "../../support/robots.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

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

describe("writeHeldReports", () => {
  it("writes the other reports if one can't be written, also of another workspace", async () => {
    const { workspaceId } = await world.another();
    const gone = await createRobot(world.server, workspaceId);
    const other = await createRobot(world.server, world.workspaceId);
    for (const robot of [gone, other]) await robot.report(1, { driving: true });
    for (const robot of [gone, other]) await robot.report(5, { driving: true });
    await world.server.database.query("DELETE FROM robot_sample WHERE robot_id = $1", [gone.id]);
    await world.server.database.query("DELETE FROM robot WHERE id = $1", [gone.id]);
    // Changed meanwhile, so that the held report has to be compared again.
    await other.at(second).report(4);
    await writeHeldReports(world.server.services);
    expect(await other.row()).toMatchObject({ stateSeq: 5n, status: "executing" });
  });
});
