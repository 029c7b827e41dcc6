import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchOperations } from "../../../compat/scim/patch-request.ts";
import { coerceResource } from "../../../src/domain/directory/coerce.ts";
import { patchAttributes } from "../../../src/domain/directory/patch-attributes.ts";

type Attributes = Record<string, unknown>;

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const word = fc.stringMatching(/^[a-z]{1,4}$/);
const email = fc.record({ value: word, type: fc.constantFrom("work", "home") });
const distinct = fc.uniqueArray(email, { maxLength: 3, selector: ({ type }) => type });

const user: fc.Arbitrary<Attributes> = fc.record(
  {
    userName: word,
    title: word,
    active: fc.boolean(),
    name: fc.record({ givenName: word, familyName: word }, { requiredKeys: ["givenName"] }),
    emails: distinct.filter((list) => list.length > 0),
    [ENTERPRISE]: fc.record({ department: word, division: word }, { requiredKeys: ["division"] }),
  },
  { requiredKeys: ["userName", "active"] },
);

const simple = fc.constantFrom("title", "name.givenName", "name.familyName", `${ENTERPRISE}:department`);
const operation: fc.Arbitrary<object> = fc.oneof(
  fc.record({ op: fc.constantFrom("add", "Replace"), path: simple, value: word }),
  fc.record({
    op: fc.constant("remove"),
    path: fc.oneof(simple, fc.constantFrom("name", "emails", ENTERPRISE)),
  }),
  fc.record({ op: fc.constantFrom("add", "replace"), path: fc.constant("emails"), value: distinct }),
  fc.record({
    op: fc.constantFrom("Add", "replace"),
    path: fc.constantFrom('emails[type eq "work"].value', 'emails[type eq "home"].value'),
    value: word,
  }),
  fc.record({
    op: fc.constant("replace"),
    path: fc.constant("active"),
    value: fc.constantFrom(true, false, "True", "False"),
  }),
  fc.record({
    op: fc.constantFrom("add", "replace"),
    value: fc.record({ title: word, "name.givenName": word, id: word }, { requiredKeys: [] }),
  }),
);

function patch(before: Attributes, operations: object[]): Attributes {
  return patchAttributes("User", before, patchOperations("User", operations, ""));
}

function read(attributes: Attributes, path: string): unknown {
  const names = path.startsWith(ENTERPRISE)
    ? [ENTERPRISE, path.slice(ENTERPRISE.length + 1)]
    : path.split(".");
  return names.reduce<unknown>((at, name) => (at as Attributes | undefined)?.[name], attributes);
}

describe("a patch", () => {
  it("doesn't modify its input, and returns valid attributes", () => {
    fc.assert(
      fc.property(user, fc.array(operation, { maxLength: 8 }), (before, operations) => {
        const kept = structuredClone(before);
        const after = patch(before, operations);
        expect(before).toEqual(kept);
        expect(coerceResource("User", after)).toEqual(after);
      }),
    );
  });

  it("gives the same result at once as one operation after the other", () => {
    fc.assert(
      fc.property(user, fc.array(operation, { maxLength: 8 }), (before, operations) => {
        expect(patch(before, operations)).toEqual(
          operations.reduce<Attributes>((at, each) => patch(at, [each]), before),
        );
      }),
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(user, operation, (before, one) => {
        const once = patch(before, [one]);
        expect(patch(once, [one])).toEqual(once);
      }),
    );
  });

  it("sets its value and nothing else", () => {
    fc.assert(
      fc.property(user, simple, word, (before, path, value) => {
        const after = patch(before, [{ op: "replace", path, value }]);
        expect(read(after, path)).toBe(value);
        const [root = ""] = path.startsWith(ENTERPRISE) ? [ENTERPRISE] : path.split(".");
        const { [root]: _after, ...others } = after;
        const { [root]: _before, ...same } = before;
        expect(others).toEqual(same);
        const removed = patch(after, [{ op: "remove", path }]);
        expect(read(removed, path)).toBeUndefined();
      }),
    );
  });

  it("never creates two elements of one type by a path with the type", () => {
    fc.assert(
      fc.property(
        user,
        fc.array(fc.tuple(fc.constantFrom("work", "home", "other"), word), { maxLength: 6 }),
        (before, values) => {
          const operations = values.map(([type, value]) => ({
            op: "Add",
            path: `emails[type eq "${type}"].value`,
            value,
          }));
          const emails = (patch(before, operations)["emails"] ?? []) as { type: string; value: string }[];
          expect(new Set(emails.map(({ type }) => type)).size).toBe(emails.length);
          for (const [type, value] of new Map(values)) expect(emails).toContainEqual({ type, value });
        },
      ),
    );
  });
});
