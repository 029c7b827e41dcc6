import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AuthzenScene,
  CERTIFICATION,
  createAuthzenScene,
  listResults,
} from "../../support/authzen-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let scene: AuthzenScene;

beforeAll(async () => {
  world = await createWorld();
  scene = await createAuthzenScene(world, CERTIFICATION);
});

afterAll(() => world.server.close());

const user = (id: string, properties?: object) => ({ type: "user", id, properties });
const record = (n: number, status?: string) => ({
  ...{ type: "record", id: `record-${n}` },
  ...(status !== undefined && { properties: { status } }),
});
const action = (name: string, properties?: object) => ({ name, properties });
const [ALICE, BOB, ADMIN] = [user("alice"), user("bob"), user("bob", { role: "admin" })];
const CONTEXT = { time: "2025-06-27T18:03-07:00", ip: "192.168.1.1" };

/** Requests of AuthZEN's certification scenario, by the section's number. */
const EVALUATIONS: [section: string, request: object, decision: boolean][] = [
  ["2.2.1", { subject: ALICE, action: action("read"), resource: record(1) }, true],
  ["1.4 rule 2", { subject: ALICE, action: action("write"), resource: record(1) }, true],
  ["1.4 rule 3", { subject: BOB, action: action("read"), resource: record(1) }, true],
  ["2.2.2", { subject: BOB, action: action("write"), resource: record(1) }, false],
  ["2.2.3", { subject: ALICE, action: action("read"), resource: record(1), context: CONTEXT }, true],
  ["2.2.4", { subject: ALICE, action: action("write"), resource: record(2, "archived") }, false],
  ["2.2.5", { subject: ADMIN, action: action("write"), resource: record(2, "archived") }, true],
  ["2.2.6", { subject: ALICE, action: action("delete", { soft: true }), resource: record(1) }, true],
  ["2.2.7", { subject: ALICE, action: action("delete", { soft: false }), resource: record(1) }, false],
  [
    "2.2.8",
    {
      subject: user("alice", { department: "Sales", role: "manager" }),
      action: action("read", { method: "GET" }),
      resource: { ...record(1), properties: { status: "active", owner: "bob" } },
    },
    true,
  ],
  [
    "2.2.9",
    {
      subject: ALICE,
      action: action("read"),
      resource: record(1),
      foo: "bar",
      futureField: { nested: true },
    },
    true,
  ],
];

describe("Basic", () => {
  it.each(EVALUATIONS)("%s", async (...[, request, decision]) => {
    for (let times = 0; times < 2; times++) {
      const answer = await scene.post("evaluation", request);
      expect(answer).toMatchObject({ status: 200, body: { decision } });
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });
});

const READ = { subject: ALICE, action: action("read"), resource: record(1) };

/** What is malformed about a request, in sections 2.4 and 4.7. */
const MALFORMED: [path: string, request: unknown][] = [
  ["evaluation", { ...READ, subject: undefined }],
  ["evaluation", { ...READ, action: undefined }],
  ["evaluation", { ...READ, resource: undefined }],
  ["evaluation", { ...READ, subject: { id: "alice" } }],
  ["evaluation", { ...READ, subject: { type: "user" } }],
  ["evaluation", { ...READ, action: {} }],
  ["evaluation", { ...READ, resource: { id: "record-1" } }],
  ["evaluation", { ...READ, resource: { type: "record" } }],
  ["evaluation", { ...READ, subject: "alice" }],
  ["evaluation", { ...READ, action: { name: 123 } }],
  ["evaluation", '{"subject":'],
  ["evaluation", ""],
  ["evaluation", []],
  ["evaluation", "null"],
  ["search/subject", { subject: { type: "user" }, resource: record(1) }],
  ["search/resource", { action: action("read"), resource: { type: "record" } }],
  ["search/action", { subject: ALICE }],
  ["search/subject", { subject: { type: "user" }, action: action("read"), resource: { type: "record" } }],
  ["search/resource", { subject: { type: "user" }, action: action("read"), resource: { type: "record" } }],
  ["search/action", { subject: { type: "user" }, resource: record(1) }],
];

it.each(MALFORMED)("a malformed request to %s is 400 with a message: %j", async (path, request) => {
  const answer = await scene.post(path, request);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual(expect.any(String));
});

/** Batches of section 3: their decisions in order. */
const BATCHES: [section: string, request: object, decisions: boolean[]][] = [
  [
    "3.2.1",
    {
      subject: ALICE,
      action: action("read"),
      evaluations: [{ resource: record(1) }, { resource: record(2) }],
    },
    [true, false],
  ],
  [
    "3.2.2",
    {
      subject: BOB,
      resource: record(1),
      evaluations: [{ action: action("read") }, { action: action("write") }],
    },
    [true, false],
  ],
  [
    "3.2.3",
    {
      ...{ subject: ALICE, action: action("write") },
      evaluations: [{ resource: record(1, "active") }, { resource: record(2, "archived") }],
    },
    [true, false],
  ],
  [
    "3.2.4",
    {
      ...{ action: action("write"), resource: record(2, "archived") },
      evaluations: [{ subject: ALICE }, { subject: ADMIN }],
    },
    [false, true],
  ],
  [
    "3.2.5",
    { evaluations: [READ, { subject: BOB, action: action("write"), resource: record(1) }] },
    [true, false],
  ],
  [
    "3.2.6",
    {
      ...{ subject: ALICE, action: action("read"), context: CONTEXT },
      evaluations: [{ resource: record(1) }, { resource: record(2), context: { source: "override" } }],
    },
    [true, false],
  ],
  [
    "3.2.7",
    {
      ...{ subject: ALICE, action: action("write"), resource: record(1, "active") },
      evaluations: [{}, { resource: record(2, "archived") }],
    },
    [true, false],
  ],
];

describe("Batch", () => {
  it.each(BATCHES)("%s", async (...[, request, decisions]) => {
    const { status, body } = await scene.post("evaluations", request);
    expect({ status, body }).toEqual({
      status: 200,
      body: { evaluations: decisions.map((decision) => ({ decision })) },
    });
  });

  it("3.4.1: what is missing in one item is its own error", async () => {
    const { body } = await scene.post("evaluations", {
      ...{ subject: ALICE, action: action("read"), options: { evaluations_semantic: "execute_all" } },
      evaluations: [{ resource: record(1) }, {}],
    });
    expect(body.evaluations).toEqual([
      { decision: true },
      { decision: false, context: { error: { status: 400, message: "resource: is required" } } },
    ]);
  });

  it.each([undefined, []])(
    "3.4.2 and 3.4.3: is one evaluation if there are none: %j",
    async (evaluations) => {
      const { status, body } = await scene.post("evaluations", { ...READ, evaluations });
      expect({ status, decision: body.decision, many: body.evaluations }).toEqual({
        status: 200,
        decision: true,
      });
    },
  );
});

const USERS = { subject: { type: "user" }, action: action("read"), resource: record(1) };
const RECORDS = { subject: ALICE, action: action("read"), resource: { type: "record" } };
const ACTIONS = { subject: ALICE, resource: record(1) };

/** Searches of section 4: what must be among their results. */
const SEARCHES: [section: string, part: string, request: object, names: string[]][] = [
  ["4.2.1", "subject", USERS, ["alice", "bob"]],
  ["4.2.2", "subject", { ...USERS, context: CONTEXT }, ["alice", "bob"]],
  ["4.2.3", "subject", { ...USERS, subject: ALICE }, ["alice", "bob"]],
  [
    "4.2.4",
    "subject",
    { subject: { type: "user" }, action: action("write"), resource: record(2, "archived") },
    ["bob"],
  ],
  ["4.3.1", "resource", RECORDS, ["record-1"]],
  ["4.3.2", "resource", { ...RECORDS, context: CONTEXT }, ["record-1"]],
  ["4.3.3", "resource", { ...RECORDS, resource: record(1) }, ["record-1"]],
  [
    "4.3.4",
    "resource",
    { subject: ADMIN, action: action("write"), resource: { type: "record" } },
    ["record-2"],
  ],
  ["4.4.1", "action", ACTIONS, ["read", "write"]],
  ["4.4.2", "action", { ...ACTIONS, context: CONTEXT }, ["read", "write"]],
  ["4.4.3", "action", { subject: ADMIN, resource: record(2, "archived") }, ["read", "write"]],
  ["4.6.1", "action", { subject: user("nonexistent-user"), resource: record(1) }, []],
  ["4.6.1", "subject", { ...USERS, resource: record(9) }, ["bob"]],
  ["4.6.1", "resource", { ...RECORDS, subject: user("nonexistent-user") }, []],
  ["4.6.2", "subject", { ...USERS, subject: { type: "spaceship" } }, []],
  ["4.6.2", "resource", { ...RECORDS, resource: { type: "spaceship" } }, []],
  ["4.6.2", "action", { ...ACTIONS, resource: { type: "spaceship", id: "1" } }, []],
];

describe("Search", () => {
  it.each(SEARCHES)("%s: %s %j", async (...[, part, request, names]) => {
    const answer = await scene.post(`search/${part}`, request);
    expect(listResults(answer)).toEqual({ status: 200, names });
    const type = part === "subject" ? "user" : "record";
    const results: object[] =
      part === "action" ? names.map((name) => ({ name })) : names.map((id) => ({ type, id }));
    expect(answer.body.results).toEqual(expect.arrayContaining(results));
    expect(Object.keys(answer.body)).toEqual(["results"]);
  });

  it("4.5: is paged", async () => {
    const first = await scene.post("search/subject", { ...USERS, page: { limit: 1 } });
    expect(first.body).toEqual({ page: { next_token: expect.stringMatching(/./) }, results: [ALICE] });
    const token = first.body.page.next_token;
    const second = await scene.post("search/subject", { ...USERS, page: { token } });
    expect(second.body).toEqual({ page: { next_token: "" }, results: [BOB] });
  });
});

describe("Discovery", () => {
  it("6: names the endpoints that there are, for everybody", async () => {
    const response = await fetch(`${world.server.url}/.well-known/authzen-configuration`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    const base = world.server.url;
    expect(await response.json()).toEqual({
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      access_request_endpoint: `${base}/access/v1/requests`,
      search_subject_endpoint: `${base}/access/v1/search/subject`,
      search_resource_endpoint: `${base}/access/v1/search/resource`,
      search_action_endpoint: `${base}/access/v1/search/action`,
      capabilities: ["urn:openid:authzen:capability:access-request"],
    });
  });

  it("begins with the public address", async () => {
    const other = await createWorld({ PUBLIC_BASE_URL: "https://pdp.example.com" });
    try {
      const { body } = await other.agent.get("/.well-known/authzen-configuration");
      expect(body).toMatchObject({
        policy_decision_point: "https://pdp.example.com",
        access_evaluation_endpoint: "https://pdp.example.com/access/v1/evaluation",
      });
    } finally {
      await other.server.close();
    }
  });
});
