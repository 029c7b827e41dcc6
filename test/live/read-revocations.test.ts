import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveDatabase, openLiveDatabase } from "../../src/db/notifications.ts";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import type { Clients } from "../../src/live/clients.ts";
import { type Nodes, createNodes } from "../../src/live/nodes.ts";
import { type RevocationLog, followRevocations } from "../../src/live/revocations.ts";
import { createCredentials } from "../support/test-credentials.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let database: LiveDatabase;

beforeAll(async () => {
  world = await createWorld();
  database = openLiveDatabase(world.server.database.url, world.server.services.log);
});

afterAll(async () => {
  await database.close();
  await world.server.close();
});

type Given = Partial<Pick<LiveDatabase, "run"> & Pick<Nodes, "reportApplied"> & Clients>;

/** Another node that follows the log, with the ids of what it found revoked. */
function follow({ run, reportApplied, arePresent = () => true }: Given): {
  log: RevocationLog;
  found: string[];
} {
  const found: string[] = [];
  const { log: logger } = world.server.services;
  const nodes = createNodes(database, { log: logger, metrics: world.server.services.live.metrics });
  const log = followRevocations(
    {
      database: { ...database, ...(run && { run }) },
      nodes: { ...nodes, ...(reportApplied && { reportApplied }) },
      clients: { enter: () => {}, arePresent },
    },
    {
      onRevoked: (revocations) => void found.push(...revocations.map(({ subjectId }) => subjectId)),
      onTrustChange: () => {},
    },
    logger,
  );
  return { log, found };
}

describe("reading the log of revocations", () => {
  it("ends with what was logged before, even if another read is wanted during each", async () => {
    const wanted: (() => void)[] = [];
    const { log, found } = follow({ reportApplied: async () => wanted.at(0)?.() });
    await log.ready;
    wanted.push(log.wake);
    const { ctx, tokenId } = await createCredentials(world.server);
    await revokeAgentToken(ctx, tokenId);
    await log.readNow();
    expect(found).toContain(tokenId);
    wanted.length = 0;
    await log.stop();
  });

  it("begins after it was wanted, also if the read before it fails", async () => {
    let failing: { begun: () => void; end: Promise<void> } | null = null;
    const run: LiveDatabase["run"] = async (statement, values) => {
      if (failing === null || !statement.text.includes("revocation_head")) {
        return database.run(statement, values);
      }
      const { begun, end } = failing;
      failing = null;
      begun();
      await end;
      throw new Error("the log can't be read");
    };
    const { log, found } = follow({ run });
    await log.ready;
    let fail = () => {};
    const end = new Promise<void>((resolve) => (fail = resolve));
    await new Promise<void>((begun) => (failing = { begun, end }));
    const { ctx, tokenId } = await createCredentials(world.server);
    await revokeAgentToken(ctx, tokenId);
    const read = log.readNow();
    fail();
    await read;
    expect(found).toContain(tokenId);
    await log.stop();
  });

  it("is done ten times a second with clients, and once without", async () => {
    const readMs: number[] = [];
    let arePresent = false;
    const run: LiveDatabase["run"] = (statement, values) => {
      readMs.push(performance.now());
      return database.run(statement, values);
    };
    const { log } = follow({ run, reportApplied: async () => {}, arePresent: () => arePresent });
    await log.ready;
    readMs.length = 0;
    await expect.poll(() => readMs.length).toBe(3);
    const [, second = 0, third = 0] = readMs;
    expect(third - second).toBeGreaterThan(900);
    arePresent = true;
    await expect.poll(() => countCloser(readMs, 300)).toBeGreaterThan(2);
    await log.stop();
  });
});

/** How many times are less than `ms` after the one before. */
function countCloser(times: readonly number[], ms: number): number {
  return times.filter((time, at) => time - (times[at - 1] ?? -Infinity) < ms).length;
}
