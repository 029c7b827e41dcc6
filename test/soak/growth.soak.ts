import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Grown, BODIES, DOCUMENTS, FORMS, HEADERS, TARGETS } from "../support/growth.ts";
import { sendRaw } from "../support/raw-request.ts";
import { createKeyWith } from "../support/callers.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const SMALLEST = 64;
const TRIES = 3;
/** Durations below this are too short to measure growth. */
const SEEN_MS = 60;
/** Maximum duration of a single request. */
const LONGEST_MS = 3000;
/** If twice the size costs more than this factor, twice in a row, growth isn't linear. */
const FACTOR = 3;

let world: TestWorld;
let least: string;

beforeAll(async () => {
  world = await createWorld({ LOG_LEVEL: "info", TRUSTED_PROXIES: "127.0.0.0/8" });
  least = await createKeyWith(world.server, world.workspaceId, ["events:read"]);
});

afterAll(() => world.server.close());

/** Minimum CPU milliseconds of this process for a request of this size. */
async function measureCost({ request }: Grown, size: number, authorization: string | null): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES && best > SEEN_MS / 4; tried++) {
    const sent = request(size);
    const headers = { ...(authorization !== null && { authorization }), ...sent.headers };
    const before = process.cpuUsage();
    // An error that closes the connection is a response too.
    const answer = await sendRaw(world.server.url, { ...sent, headers }).catch(() => null);
    const { user, system } = process.cpuUsage(before);
    if (answer !== null) expect(answer.status).toBeLessThan(500);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** Doubles the size up to the maximum accepted. */
async function expectLinear(grown: Grown, authorization: string | null): Promise<void> {
  const costs: number[] = [];
  for (let size = SMALLEST; size <= grown.most; size *= 2) {
    const cost = await measureCost(grown, size, authorization);
    expect(cost, `${grown.name} takes ${cost} ms at ${size}`).toBeLessThan(LONGEST_MS);
    costs.push(cost);
    const [first = cost, second = cost] = costs.slice(-3);
    const isSteep = cost > SEEN_MS && cost > second * FACTOR && second > first * FACTOR;
    expect(isSteep, `${grown.name} grows as ${costs.map(Math.round).join(", ")} ms up to ${size}`).toBe(
      false,
    );
  }
}

describe.each([
  ["addresses", TARGETS],
  ["headers", HEADERS],
  ["bodies", BODIES],
  ["documents", DOCUMENTS],
  ["forms", FORMS],
])("the cost of %s", (_what, all) => {
  it.each(all.map((grown) => [grown.name, grown] as const))(
    "is linear in their size: %s",
    async (_name, grown) => {
      for (const authorization of [null, `Bearer ${world.apiKey}`, `Bearer ${least}`]) {
        await expectLinear(grown, authorization);
      }
      await expectLinear(grown, `Bearer ${world.scimToken}`);
    },
    300_000,
  );
});
