import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BODY_EXAMPLES } from "../../../compat/rest/openapi/body-examples.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type Check, type Described, checkAgainst } from "../../support/described.ts";
import { expectOwnWords } from "../../support/own-words.ts";
import { withValue } from "../../support/with-value.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { runs } from "../../support/property-runs.ts";

let world: TestWorld;
let robot: TestClient;
let document: Described;
let check: Check;
/** An existing row for each kind of path parameter. */
let ids: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  const made = async (path: string, body: object) => (await world.agent.post(`/api/v1${path}`, body)).body;
  const minted = await made("/agent_tokens", { agent: { handle: "r-1", kind: "robot" } });
  robot = createTestClient(world.server.url, minted.token);
  const mission = {
    title: "x",
    kind: "patrol",
    robot_id: minted.agent_id,
    steps: [{ key: "a", type: "move" }],
  };
  const order = { agent_id: minted.agent_id, type: "custom.x" };
  ids = {
    agents: minted.agent_id,
    tasks: (await made("/tasks", { title: "x" })).task.id,
    eval_runs: (await made("/eval_runs", { suite: "x", name: "x" })).eval_run.id,
    missions: (await made("/operator/missions", mission)).mission.id,
    agent_commands: (await made("/operator/agent_commands", order)).agent_commands[0].id,
  };
  document = (await world.agent.get("/api/v1/openapi.json")).body;
  check = checkAgainst(document);
});

afterAll(() => world.server.close());

/** An example body of each route, without waiting. */
const BODIES: Record<string, unknown> = {
  ...BODY_EXAMPLES,
  "POST /tasks/claim": { queues: ["billing"], lease_s: 60, wait: 0 },
};

type Place = { route: string; at: readonly string[] };

/** Every member of a body, including nested ones. */
function placesIn(route: string, value: unknown, at: readonly string[] = []): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { route, at: [...at, key] },
    ...placesIn(route, inner, [...at, key]),
  ]);
}

const place = fc.constantFrom(...Object.entries(BODIES).flatMap(([route, body]) => placesIn(route, body)));

const nasty = fc.constantFrom<unknown>(
  ...[undefined, null, true, 0, -0, -1, 1.5, 1e-320, 1e308, 2_147_483_648, 9_007_199_254_740_992],
  ...["", " ", "\0", "\ud800", "\u202e", "__proto__", "x".repeat(300), "💥".repeat(70), "http://x"],
  ...["2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", crypto.randomUUID()],
  ...[[], {}, [[]], [null], ["\0"], { "\0": 1 }, { "\ud800": "x" }, { constructor: 1 }, { a: { "\0": 1 } }],
  Array.from({ length: 600 }, () => "a"),
);

describe("/api/v1", () => {
  it("responds as described to any value in one place of a body", async () => {
    const property = fc.asyncProperty(place, nasty, async ({ route, at }, value) => {
      const [method = "", path = ""] = route.split(" ");
      const named = Object.keys(ids).find((name) => path.includes(`/${name}/{id}`)) ?? "";
      const sender = path === "/agent_tokens" ? world.agent : robot;
      const body = withValue(BODIES[route], at, value);
      const answer = await sender.send(`/api/v1${path.replace("{id}", ids[named] ?? "")}`, { method, body });
      expect(answer.status).toBeLessThan(500);
      expect(check(method, path, answer)).toBeNull();
      if (answer.status < 400) return;
      const { description } = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status] ?? {};
      expect(description).toContain(`\`${answer.body.code}\``);
      expectOwnWords(answer);
    });
    const minScores = { route: "POST /eval_runs", at: ["gate", "min_scores"] };
    await fc.assert(property, { numRuns: runs(300), examples: [[minScores, { "\0": 1 }]] });
  });
});
