import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sendRaw } from "../support/raw-request.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const DEPTH = 128;
const SCIM_DEPTH = 32;
const CONTAINERS = 50_000;
const MEMBERS = 50_000;
const VALUES = 250_000;

/** Returns this many lists inside each other. */
function nest(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

/** Returns a list of empty objects, this many containers together. */
function fillList(containers: number): string {
  return `[${Array.from({ length: containers - 1 }, () => "{}").join(",")}]`;
}

/** Returns an object with this many members. */
function fillObject(members: number): string {
  return `{${Array.from({ length: members }, (_member, at) => `"${at}":1`).join(",")}}`;
}

/** The beginnings of bodies whose last member is the value. */
const BODIES: Record<string, string> = {
  "/api/v1/tasks": '{"title":"a","extra":',
  "/scim/v2/Users": '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":1,"extra":',
  "/graphql": '{"query":"{ __typename }","variables":',
};

/** Sends a value in a body. */
async function post(path: string, value: string) {
  const isScim = path.startsWith("/scim");
  const before = BODIES[path] ?? "";
  const body = `${before}${value}}`;
  const headers = {
    authorization: `Bearer ${isScim ? world.scimToken : world.apiKey}`,
    "content-type": "application/json",
  };
  const { status, text } = await sendRaw(world.server.url, { method: "POST", path, headers, body });
  return { status, text };
}

describe.each([
  { path: "/api/v1/tasks", depth: DEPTH, around: 1, code: '"code":"invalid_body"', read: '"unknown_field"' },
  { path: "/scim/v2/Users", depth: SCIM_DEPTH, around: 2, code: '"invalidSyntax"', read: '"invalidValue"' },
  { path: "/graphql", depth: DEPTH, around: 1, code: '"code":"INVALID_BODY"', read: "variables" },
])("JSON for $path", ({ path, depth, around, code, read }) => {
  it(`is nested at most ${depth} levels deep`, async () => {
    const most = await post(path, nest(depth - 1));
    expect(most.text).toContain(read);
    expect(most.text).not.toContain("levels deep");
    const beyond = await post(path, nest(depth));
    expect(beyond.status).toBe(400);
    expect(beyond.text).toContain(code);
    expect(beyond.text).toContain(`The JSON can be nested at most ${depth} levels deep.`);
  });

  it("has a limited number of lists and objects", async () => {
    const most = await post(path, fillList(CONTAINERS - around));
    expect(most.text).toContain(read);
    expect(most.text).not.toContain("lists and objects");
    const beyond = await post(path, fillList(CONTAINERS - around + 1));
    expect(beyond.status).toBe(400);
    expect(beyond.text).toContain(code);
    expect(beyond.text).toContain(`The JSON can have at most ${CONTAINERS} lists and objects.`);
  });

  it("has a limited number of members, around those of the value", async () => {
    const most = await post(path, fillObject(MEMBERS - 5));
    expect(most.text).not.toContain("members of objects");
    const beyond = await post(path, fillObject(MEMBERS));
    expect(beyond.status).toBe(400);
    expect(beyond.text).toContain(code);
    expect(beyond.text).toContain(`The JSON can have at most ${MEMBERS} members of objects.`);
  });

  it("has a limited number of values", async () => {
    const beyond = await post(path, `[${"1,".repeat(VALUES)}1]`);
    expect(beyond.status).toBe(400);
    expect(beyond.text).toContain(`The JSON can have at most ${VALUES} elements and members.`);
  });

  it("may have any brackets in strings", async () => {
    const { text } = await post(path, JSON.stringify(`\\"${"[{".repeat(CONTAINERS)}`));
    expect(text).not.toContain("The JSON");
  });
});

it("a body of REST is parsed once", async () => {
  const body = '{"title":"parsed once"}';
  const parse = vi.spyOn(JSON, "parse");
  try {
    const headers = { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json" };
    const sent = await sendRaw(world.server.url, { method: "POST", path: "/api/v1/tasks", headers, body });
    expect(sent.status).toBe(201);
    expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
  } finally {
    parse.mockRestore();
  }
});
