import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redactText } from "../../../src/domain/kernel/redact.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { findTexts } from "../../support/find-texts.ts";
import { CHECK_PATH, refund } from "../../support/gateway-scene.ts";
import { FORM_SAMPLES, HARMLESS, PLACE_SAMPLES, toNeedles } from "../../support/secret-corpus.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const SAMPLES = [...FORM_SAMPLES, ...PLACE_SAMPLES];

let world: TestWorld;
let scene: ApprovalScene;
let agent: TestClient;

beforeAll(async () => {
  world = await createWorld();
  scene = await createApprovalScene(world);
  agent = createTestClient(world.server.url, scene.token);
});

afterAll(() => world.server.close());

/** Arguments with texts as values, in lists and texts, and as names. */
function toArguments(texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    texts.flatMap((text, at) => [
      [`text ${at}`, `before ${text} after`],
      [`list ${at}`, [text, { deep: text }]],
      [text, 1],
    ]),
  );
}

function chunk(texts: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, at) =>
    texts.slice(at * size, (at + 1) * size),
  );
}

describe("secrets of many shapes that an agent sends to the gateway", () => {
  it("are in no row: of checks, approvals and ids of requests", async () => {
    const texts = SAMPLES.map(({ text }) => text);
    for (const some of chunk(texts, 12)) {
      const allowed = refund({ ...toArguments(some), amount: 1 }, { context: { note: some } });
      expect((await agent.post(CHECK_PATH, { request: allowed })).body.check.status).toBe("allowed");
      await scene.approved(refund({ ...toArguments(some), amount: 900 }));
    }
    for (const text of FORM_SAMPLES.map((sample) => sample.text)) {
      const headers = { authorization: `Bearer ${scene.token}`, "content-type": "application/json" };
      const named = { action: { name: `x ${text}` }, resource: { type: "tool", id: text } };
      const response = await fetch(world.server.url + CHECK_PATH, {
        method: "POST",
        body: JSON.stringify({ request: named }),
        headers: { ...headers, "x-request-id": text },
      });
      expect(response.headers.get("x-request-id")).not.toBe(text);
    }
    await expect
      .poll(() => scene.ctx.db.decision.count({ where: { workspaceId: scene.ctx.workspaceId } }))
      .toBeGreaterThanOrEqual(FORM_SAMPLES.length + 2 * Math.ceil(SAMPLES.length / 12));
    const found = await findTexts(world.server.database, scene.ctx.workspaceId, toNeedles(SAMPLES));
    expect(found).toEqual([]);
  }, 60_000);
});

describe("redactText", () => {
  it.each(HARMLESS)("leaves alone %s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
