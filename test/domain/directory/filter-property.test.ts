import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createDirectoryUser } from "../../../src/domain/directory/create-directory-user.ts";
import type { ScimFilter } from "../../../src/domain/directory/filter.ts";
import { listDirectory } from "../../../src/domain/directory/list-directory.ts";
import { readFilter } from "../../../compat/scim/filter-text.ts";
import { isAffordable } from "../../support/is-affordable.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { runs } from "../../support/property-runs.ts";

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

type Person = Record<string, unknown>;

let server: TestServer;
let ctx: Ctx;
let people: Map<string, Person>;

/** Few characters, so that values collide. Some are special in LIKE and JSON, and some are not ASCII. */
const word = fc.stringMatching(/^[aAbBéÉ%_\\"' ]{1,3}$/);
const type = fc.constantFrom("work", "Work", "home");
const element = fc.record(
  { value: word, type, display: word, primary: fc.boolean() },
  { requiredKeys: ["value"] },
);

/** At most one element is primary. */
const elements = fc.array(element, { maxLength: 3 }).map((list) => {
  const first = list.find(({ primary }) => primary === true);
  const seen = new Set<string>();
  return list
    .map((each) => (each === first || each.primary !== true ? each : { ...each, primary: false }))
    .filter(({ value, type: of }) => seen.size < seen.add(JSON.stringify([value, of])).size);
});

const person: fc.Arbitrary<Person> = fc.record(
  {
    externalId: word,
    title: word,
    displayName: word,
    nickName: word,
    active: fc.boolean(),
    name: fc.record({ givenName: word, familyName: word }, { requiredKeys: ["givenName"] }),
    emails: elements,
    roles: elements,
    [ENTERPRISE]: fc.record(
      { department: word, manager: fc.record({ value: word }) },
      { requiredKeys: ["department"] },
    ),
  },
  { requiredKeys: ["active"] },
);

beforeAll(async () => {
  server = await startTestServer();
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  people = new Map();
  for (const [n, fields] of fc.sample(person, { numRuns: 60, seed: 42 }).entries()) {
    const attributes = { ...fields, userName: `User ${n}` };
    people.set((await createDirectoryUser(ctx, { attributes })).id, attributes);
  }
});

afterAll(() => server.close());

const COMPARISONS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;
const textPath = fc.constantFrom<string[][]>(
  ["userName"],
  ["externalId"],
  ["title"],
  ["displayName"],
  ["nickName"],
  ["name", "givenName"],
  ["name", "familyName"],
  ["emails"],
  ["emails", "value"],
  ["emails", "type"],
  ["emails", "display"],
  ["roles"],
  ["roles", "value"],
  ["roles", "type"],
  [ENTERPRISE, "department"],
  [ENTERPRISE, "manager"],
  [ENTERPRISE, "manager", "value"],
);
const value = fc.oneof(word, word, type, fc.constantFrom("User 1", "user 2", ""));

function leaf(path: fc.Arbitrary<string[]>, ofBoolean: fc.Arbitrary<string[]>): fc.Arbitrary<ScimFilter> {
  return fc.oneof(
    fc.record({
      kind: fc.constant("compare" as const),
      path,
      comparison: fc.constantFrom(...COMPARISONS),
      value,
    }),
    fc.record({
      kind: fc.constant("compare" as const),
      path: ofBoolean,
      comparison: fc.constantFrom("eq", "ne"),
      value: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("compare" as const),
      path,
      comparison: fc.constantFrom("eq", "ne"),
      value: fc.constant(null),
    }),
    fc.record({ kind: fc.constant("present" as const), path: fc.oneof(path, ofBoolean) }),
  );
}

function logicalFilters(inner: fc.Arbitrary<ScimFilter>): fc.Arbitrary<ScimFilter>[] {
  const operands = fc.array(inner, { minLength: 2, maxLength: 3 });
  return [
    fc.record({ kind: fc.constantFrom("and" as const, "or" as const), operands }),
    fc.record({ kind: fc.constant("not" as const), operand: inner }),
  ];
}

const { inElement } = fc.letrec<{ inElement: ScimFilter }>((tie) => ({
  inElement: fc.oneof(
    { maxDepth: 2 },
    leaf(fc.constantFrom<string[][]>(["value"], ["type"], ["display"]), fc.constant<string[]>(["primary"])),
    ...logicalFilters(tie("inElement")),
  ),
}));

const { filter } = fc.letrec<{ filter: ScimFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    leaf(textPath, fc.constantFrom<string[][]>(["active"], ["emails", "primary"], ["roles", "primary"])),
    fc.record({
      kind: fc.constant("some" as const),
      path: fc.constantFrom<string[][]>(["emails"], ["roles"]),
      where: inElement,
    }),
    ...logicalFilters(tie("filter")),
  ),
}));

// An independent second implementation of RFC 7644, 3.4.2.2.
const EXACT = new Set(["externalId", `${ENTERPRISE}.manager.value`]);
const MULTIPLE = new Set(["emails", "roles"]);

function holds(one: ScimFilter, of: Person): boolean {
  switch (one.kind) {
    case "and":
      return one.operands.every((operand) => holds(operand, of));
    case "or":
      return one.operands.some((operand) => holds(operand, of));
    case "not":
      return !holds(one.operand, of);
    case "some":
      return listAt(of, one.path[0]).some((each) => holds(one.where, each));
    case "present":
    case "compare":
      return holdsLeaf(one, of);
  }
}

function listAt(of: Person, name = ""): Person[] {
  return (of[name] as Person[] | undefined) ?? [];
}

function holdsLeaf(
  one: Extract<ScimFilter, { path: string[] }> & { kind: "present" | "compare" },
  of: Person,
): boolean {
  const [first = "", ...rest] = one.path;
  if (MULTIPLE.has(first)) {
    const asksForNothing = one.kind === "compare" && one.comparison === "eq" && one.value === null;
    if (asksForNothing) return !holdsLeaf({ kind: "present", path: one.path }, of);
    const every = listAt(of, first);
    if (one.kind === "present" && rest.length === 0) return every.length > 0;
    return every.some((each) => holdsLeaf({ ...one, path: [rest[0] ?? "value"] }, each));
  }
  const isManager = one.path.join(".") === `${ENTERPRISE}.manager`;
  const path = isManager ? [...one.path, "value"] : one.path;
  const found = path.reduce<unknown>((at, name) => (at as Person | undefined)?.[name], of);
  const isThere = found !== undefined && found !== "";
  if (one.kind === "present") return isThere;
  if (one.value === null) return one.comparison === "eq" ? !isThere : isThere;
  return compares(one, EXACT.has(path.join(".")), found);
}

function compares(
  { comparison, value: wanted }: Extract<ScimFilter, { kind: "compare" }>,
  exact: boolean,
  found: unknown,
): boolean {
  if (typeof wanted === "boolean") return ((found ?? false) === wanted) === (comparison === "eq");
  if (comparison === "ne")
    return !compares({ kind: "compare", path: [], comparison: "eq", value: wanted }, exact, found);
  if (typeof found !== "string" || typeof wanted !== "string") return false;
  const [left, right] = exact ? [found, wanted] : [found.toLowerCase(), wanted.toLowerCase()];
  const tests: Record<string, boolean> = {
    eq: left === right,
    co: left.includes(right),
    sw: left.startsWith(right),
    ew: left.endsWith(right),
    gt: left > right,
    ge: left >= right,
    lt: left < right,
    le: left <= right,
  };
  return tests[comparison] ?? false;
}

/** A filter in a client's syntax. */
function formatFilter(one: ScimFilter): string {
  switch (one.kind) {
    case "and":
    case "or":
      return one.operands.map((operand) => `(${formatFilter(operand)})`).join(` ${one.kind} `);
    case "not":
      return `not (${formatFilter(one.operand)})`;
    case "some":
      return `${formatPath(one.path)}[${formatFilter(one.where)}]`;
    case "present":
      return `${formatPath(one.path)} pr`;
    case "compare":
      return `${formatPath(one.path)} ${one.comparison} ${JSON.stringify(one.value)}`;
  }
}

function formatPath([first = "", ...rest]: string[]): string {
  return first === ENTERPRISE ? `${first}:${rest.join(".")}` : [first, ...rest].join(".");
}

describe("a filter compiled to SQL", () => {
  it("matches the same users as a plain implementation of the RFC", async () => {
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(filter.filter(isAffordable), async (one) => {
        const page = await listDirectory(ctx, {
          types: ["User"],
          where: one,
          sort: null,
          count: 200,
          startIndex: 1,
          cursor: null,
          members: false,
        });
        const expected = [...people].filter(([, each]) => holds(one, each)).map(([id]) => id);
        expect(page.resources.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
        expect(page.total).toBe(expected.length);
        shown += expected.length;
      }),
      { numRuns: runs(300) },
    );
    expect(shown).toBeGreaterThan(1000);
  });
});

describe("a filter's text", () => {
  it("is parsed as the filter it was written from", () => {
    fc.assert(
      fc.property(filter, (one) => {
        expect(readFilter(["User"], formatFilter(one))).toEqual(one);
      }),
      { numRuns: runs(500) },
    );
  });

  it("always results in a filter or an error", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "userName",
        "emails[",
        "]",
        "(",
        ")",
        "not",
        "and",
        "or",
        "eq",
        "pr",
        '"x"',
        ".value",
        "true",
        "\\",
        '"',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom("", " "), (pieces, between) => {
        try {
          readFilter(["User"], pieces.join(between));
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_filter" });
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
