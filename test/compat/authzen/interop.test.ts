import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, createAuthzenScene, listResults } from "../../support/authzen-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** The people of the Todo application: their ids, addresses and roles. */
const PEOPLE = [
  { key: "A", email: "rick@the-citadel.com", roles: ["admin", "evil_genius"] },
  { key: "E", email: "morty@the-citadel.com", roles: ["editor"] },
  { key: "I", email: "summer@the-smiths.com", roles: ["editor"] },
  { key: "M", email: "beth@the-smiths.com", roles: ["viewer"] },
  { key: "Q", email: "jerry@the-smiths.com", roles: ["viewer"] },
].map(({ key, ...person }) => ({
  ...person,
  id: `CiRmZD${key}2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs`,
}));

const [RICK, MORTY, , BETH, JERRY] = PEOPLE.map(({ email }) => email);

const HAS = (role: string) => `"${role}" in subject.properties.roles`;

const TODO: Fixture = {
  entities: {
    user: Object.fromEntries(PEOPLE.map(({ id, email, roles }) => [id, { email, roles }])),
    identity: Object.fromEntries(PEOPLE.map(({ id, roles }) => [id, { roles }])),
  },
  policies: [
    {
      ...{ name: "everybody reads", effect: "allow", actions: ["can_read_user", "can_read_todos"] },
      subjects: [{ type: "user" }],
    },
    {
      ...{ name: "creation", effect: "allow", actions: ["can_create_todo"], subjects: [{ type: "user" }] },
      when: `${HAS("admin")} || ${HAS("editor")}`,
    },
    {
      ...{ name: "updates of all", effect: "allow", actions: ["can_update_todo"] },
      subjects: [{ type: "user" }],
      when: HAS("evil_genius"),
    },
    {
      ...{ name: "deletion of all", effect: "allow", actions: ["can_delete_todo"] },
      subjects: [{ type: "user" }],
      when: HAS("admin"),
    },
    {
      ...{ name: "one's own", effect: "allow", actions: ["can_update_todo", "can_delete_todo"] },
      subjects: [{ type: "user" }],
      when: `${HAS("editor")} && resource.properties.ownerID == subject.properties.email`,
    },
    {
      ...{ name: "routes to read", effect: "allow", actions: ["GET"], subjects: [{ type: "identity" }] },
      resources: [
        { type: "route", name: "/users/{userId}" },
        { type: "route", name: "/todos" },
      ],
    },
    {
      ...{ name: "routes to write", effect: "allow", actions: ["POST", "PUT", "DELETE"] },
      subjects: [{ type: "identity" }],
      resources: [{ type: "route", name: "/todos*" }],
      when: `${HAS("admin")} || ${HAS("editor")} || ${HAS("evil_genius")}`,
    },
  ],
};

const todo = (owner = "") => ({ type: "todo", id: `todo of ${owner}`, properties: { ownerID: owner } });
const LIST = { type: "todo", id: "todo-1" };

/** What each person may do in draft 02, in the order of {@link listTodoRequests}. */
const TODO_DECISIONS = ["11111111", "11110101", "11110101", "11100000", "11100000"];

/** A person's eight requests: somebody else's todo comes before their own. */
function listTodoRequests({ id, email }: { id: string; email: string }) {
  const other = email === RICK ? MORTY : RICK;
  const subject = { type: "user", id };
  const ask = (name: string, resource: object) => ({ subject, action: { name }, resource });
  return [
    ask("can_read_user", { type: "user", id: BETH }),
    ask("can_read_user", { type: "user", id: email }),
    ask("can_read_todos", LIST),
    ask("can_create_todo", LIST),
    ask("can_update_todo", todo(other)),
    ask("can_update_todo", todo(email)),
    ask("can_delete_todo", todo(other)),
    ask("can_delete_todo", todo(email)),
  ];
}

describe("the Todo application, draft 02", () => {
  it("has its 40 decisions", async () => {
    const { post } = await createAuthzenScene(world, TODO);
    const decisions: string[] = [];
    for (const person of PEOPLE) {
      const made: string[] = [];
      for (const request of listTodoRequests(person)) {
        made.push((await post("evaluation", request)).body.decision === true ? "1" : "0");
      }
      decisions.push(made.join(""));
    }
    expect(decisions).toEqual(TODO_DECISIONS);
  });

  it.each([
    [0, [RICK, JERRY], [true, true]],
    [1, [RICK, MORTY], [false, true]],
    [4, [RICK, JERRY], [false, false]],
  ])("has the batch of person %i, whose items are bare", async (who, owners, decisions) => {
    const { post } = await createAuthzenScene(world, TODO);
    const { body } = await post("evaluations", {
      subject: { type: "user", id: PEOPLE[who]?.id },
      action: { name: "can_update_todo" },
      evaluations: owners.map((owner) => ({ resource: todo(owner) })),
    });
    expect(body).toEqual({ evaluations: decisions.map((decision) => ({ decision })) });
  });
});

/** What identities may do with the routes in their order below. */
const ROUTE_DECISIONS = ["11111", "11111", "11111", "11000", "11000"];

const ROUTES = [
  ["GET", "/users/{userId}"],
  ["GET", "/todos"],
  ["POST", "/todos"],
  ["PUT", "/todos/{todoId}"],
  ["DELETE", "/todos/{todoId}"],
];

describe("the API gateway", () => {
  it("has its 25 decisions", async () => {
    const { post } = await createAuthzenScene(world, TODO);
    const decisions = await Promise.all(
      PEOPLE.map(async ({ id }) => {
        const { body } = await post("evaluations", {
          subject: { type: "identity", id },
          evaluations: ROUTES.map(([name, route]) => ({
            ...{ action: { name }, resource: { type: "route", id: route } },
          })),
        });
        return body.evaluations.map(({ decision }: { decision: boolean }) => (decision ? "1" : "0")).join("");
      }),
    );
    expect(decisions).toEqual(ROUTE_DECISIONS);
    const [person] = PEOPLE;
    const one = { subject: { type: "identity", id: person?.id }, action: { name: "POST" } };
    const { body } = await post("evaluation", { ...one, resource: { type: "route", id: "/todos" } });
    expect(body.decision).toBe(true);
  });
});

/** The records of the Search demo, 101 to 120: departments and owners by their first letters. */
const DEPARTMENTS = "LLLALASLASALSAFLLALA";
const OWNERS = "abcdefabcdefabcdefab";
const NAMES: Record<string, string> = {
  ...{ a: "alice", b: "bob", c: "carol", d: "dan", e: "erin", f: "felix" },
  ...{ L: "Legal", A: "Accounting", S: "Sales", F: "Finance" },
};

const IDS = Array.from(OWNERS, (_, at) => String(101 + at));
const USERS = ["alice", "bob", "carol", "dan", "erin", "felix"];

const SEARCH: Fixture = {
  entities: {
    user: {
      alice: { role: "manager", department: "Sales" },
      bob: { role: "employee", department: "Legal" },
      carol: { role: "contractor", department: "Legal" },
      dan: { role: "manager", department: "Finance" },
      erin: { role: "employee", department: "Finance" },
      felix: { role: "contractor", department: "Accounting" },
    },
    record: Object.fromEntries(
      IDS.map((id, at) => [
        id,
        { department: NAMES[DEPARTMENTS[at] ?? ""] ?? "", owner: NAMES[OWNERS[at] ?? ""] ?? "" },
      ]),
    ),
  },
  policies: [
    {
      ...{ name: "owners", effect: "allow", actions: ["view", "edit", "delete"] },
      when: "resource.properties.owner == subject.id",
    },
    {
      ...{ name: "views in the department", effect: "allow", actions: ["view"] },
      when: "resource.properties.department == subject.properties.department",
    },
    {
      ...{ name: "managers view", effect: "allow", actions: ["view"] },
      when: 'subject.properties.role == "manager"',
    },
    {
      ...{ name: "managers edit in the department", effect: "allow", actions: ["edit"] },
      when: 'subject.properties.role == "manager" && resource.properties.department == subject.properties.department',
    },
  ],
};

const ALL = IDS.join(" ");

/** The records that each user may view, edit and delete. */
const RECORDS: Record<string, [view: string, edit: string, remove: string]> = {
  alice: [ALL, "101 107 110 113 119", "101 107 113 119"],
  bob: ["101 102 103 105 108 112 114 116 117 119 120", "102 108 114 120", "102 108 114 120"],
  carol: ["101 102 103 105 108 109 112 115 116 117 119", "103 109 115", "103 109 115"],
  dan: [ALL, "104 110 115 116", "104 110 116"],
  erin: ["105 111 115 117", "105 111 117", "105 111 117"],
  felix: ["104 106 109 111 112 114 118 120", "106 112 118", "106 112 118"],
};

const ACTIONS = ["view", "edit", "delete"];

const mayDo = (who: string, action: string, id: string) =>
  RECORDS[who]?.[ACTIONS.indexOf(action)]?.split(" ").includes(id) === true;

describe("the Search demo", () => {
  it("has its 18 searches of resources, and the 6 of the identity providers", async () => {
    const { post } = await createAuthzenScene(world, SEARCH);
    for (const who of USERS) {
      for (const name of ACTIONS) {
        const asked = { subject: { type: "user", id: who }, action: { name }, resource: { type: "record" } };
        const names = IDS.filter((id) => mayDo(who, name, id));
        expect(listResults(await post("search/resource", asked)), `${who} ${name}`).toEqual({
          status: 200,
          names,
        });
      }
    }
  });

  it("has its 60 searches of subjects", async () => {
    const { post } = await createAuthzenScene(world, SEARCH);
    for (const id of IDS) {
      for (const name of ACTIONS) {
        const asked = { subject: { type: "user" }, action: { name }, resource: { type: "record", id } };
        const names = USERS.filter((who) => mayDo(who, name, id));
        expect(listResults(await post("search/subject", asked)), `${id} ${name}`).toEqual({
          status: 200,
          names,
        });
      }
    }
  });

  it("has its 120 searches of actions", async () => {
    const { post } = await createAuthzenScene(world, SEARCH);
    for (const who of USERS) {
      for (const id of IDS) {
        const asked = { subject: { type: "user", id: who }, resource: { type: "record", id } };
        const names = ACTIONS.filter((name) => mayDo(who, name, id)).toSorted();
        expect(listResults(await post("search/action", asked)), `${who} ${id}`).toEqual({
          status: 200,
          names,
        });
      }
    }
  });
});
