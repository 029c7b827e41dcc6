import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { CHECK_PATH, refund } from "../../support/gateway-scene.ts";
import { toolUse } from "../../support/hook-scene.ts";
import { SECRETS, fillSecret } from "../../support/secrets.ts";
import { tablesWith } from "../../support/tables-with.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const EXECUTIONS = "/api/v1/gateway/executions";

/** All secrets as an agent may send them: as values, in texts and lists, and as names of members. */
const ARGUMENTS = Object.fromEntries(
  Object.entries(SECRETS).flatMap(([kind, secret]) => [
    [kind, secret],
    [`text of ${kind}`, `curl -H '${secret}' https://example.com`],
    [`list of ${kind}`, [secret, { deep: secret }]],
    [secret, 1],
  ]),
);

let world: TestWorld;
let scene: ApprovalScene;
let agent: TestClient;

beforeAll(async () => {
  world = await createWorld();
  scene = await createApprovalScene(world);
  agent = createTestClient(world.server.url, scene.token);
});

afterAll(() => world.server.close());

/** Checks what is allowed, denied and asked about, over each API. @returns the ids of the decisions. */
async function sendEverywhere(): Promise<void> {
  const context = { ...ARGUMENTS, note: Object.values(SECRETS) };
  const allowed = refund({ ...ARGUMENTS, amount: 1 }, { context });
  expect((await agent.post(CHECK_PATH, { request: allowed })).body.check.status).toBe("allowed");
  await agent.post("/access/v1/evaluation", allowed);
  await agent.post("/access/v1/evaluations", { evaluations: [allowed, {}] });
  await agent.post("/hooks/pre-tool-use?timeout=3", { ...toolUse("Bash", ARGUMENTS), cwd: "/src" });
  for (const secret of Object.values(SECRETS)) {
    const named = { action: { name: `x ${secret}` }, resource: { type: "tool", id: secret } };
    expect((await agent.post(CHECK_PATH, { request: named })).body.check.status).toBe("denied");
  }
}

/** Has an approved call executed, which ends so. */
async function execute(amount: number, end: "complete" | "fail", said: object): Promise<void> {
  const request = refund({ ...ARGUMENTS, amount });
  const started = await agent.post(EXECUTIONS, { approval_id: await scene.approved(request), request });
  const { id, fence } = started.body.execution;
  expect((await agent.post(`${EXECUTIONS}/${id}/${end}`, { fence, ...said })).status).toBe(200);
}

describe("secrets that an agent sends to the gateway", () => {
  it("are in no row, event, audit event or line of the log", async () => {
    await sendEverywhere();
    await execute(900, "complete", { result: ARGUMENTS });
    const message = Object.values(SECRETS).join(" ");
    await execute(901, "fail", { error: { message }, effect: "none" });
    const decisions = 4 + Object.keys(SECRETS).length;
    await expect.poll(() => scene.ctx.db.decision.count()).toBeGreaterThanOrEqual(decisions);
    const log = world.server.logged.join("\n");
    for (const text of [fillSecret(16), "ABCD2345"]) {
      expect(await tablesWith(world.server.database, text), text).toEqual([]);
      expect(log).not.toContain(text);
    }
    expect(await tablesWith(world.server.database, "[redacted]")).toEqual(
      expect.arrayContaining(["approval", "decision", "execution"]),
    );
  });
});
