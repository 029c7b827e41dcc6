import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { type ScimWorld, URN, createScimWorld, groupBody, userBody } from "../../support/scim-world.ts";
import { runs } from "../../support/property-runs.ts";

let world: ScimWorld;
let paths: string[];

beforeAll(async () => {
  world = await createScimWorld();
  const user = (await world.idp.post("/Users", userBody())).body.id;
  const group = (await world.idp.post("/Groups", groupBody({ members: [{ value: user }] }))).body.id;
  paths = [
    "/Users",
    "/Groups",
    `/Users/${user}`,
    `/Groups/${group}`,
    "/Bulk",
    "/.search",
    "/Users/.search",
    "/Schemas",
    "/",
  ];
});

afterAll(() => world.close());

const NAMES = [
  "userName",
  "members",
  "emails",
  "name",
  "active",
  "displayName",
  "id",
  "meta",
  URN.enterprise,
  "value",
  "type",
  "primary",
];
const WORDS = [
  "op",
  "path",
  "value",
  "Operations",
  "schemas",
  "method",
  "bulkId",
  "data",
  "filter",
  "sortBy",
  "count",
  "cursor",
  "attributes",
];
const ATTRIBUTE_PATHS = [
  'emails[type eq "work"].value',
  "name.givenName",
  "members",
  'members[value eq "x"]',
  "manager",
  "active",
  "",
  "[",
  `${URN.enterprise}:manager`,
];
const text = fc.oneof(
  fc.constantFrom(
    ...NAMES,
    ...ATTRIBUTE_PATHS,
    "add",
    "replace",
    "remove",
    "POST",
    "PATCH",
    "/Users",
    "True",
    "bulkId:x",
  ),
  fc.string({ unit: "binary" }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.constantFrom(null, true, false, 0, -1, 1e308, []),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom(...NAMES, ...WORDS, "__proto__", "constructor"), text),
      tie("json"),
      { maxKeys: 5 },
    ),
  ),
}));
const operations = fc.array(
  fc.record(
    { op: fc.constantFrom("add", "Replace", "remove"), path: text, value: json },
    { requiredKeys: ["op"] },
  ),
  { maxLength: 4 },
);
const body = fc.oneof(
  json,
  fc.record({ schemas: fc.constant([URN.patch]), Operations: operations }),
  fc
    .dictionary(fc.constantFrom(...NAMES), json)
    .map((fields) => ({ ...fields, schemas: [URN.user, URN.group] })),
  fc.record({
    Operations: fc.array(
      fc.record({
        method: fc.constantFrom("POST", "PUT", "PATCH", "DELETE"),
        path: text,
        bulkId: text,
        data: json,
      }),
    ),
  }),
);

describe("any request", () => {
  it("gets a SCIM response and no internal error", async () => {
    const client = createTestClient(world.server.url, world.scimToken);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom("POST", "PUT", "PATCH"),
        body,
        async (which, method, sent) => {
          const path = paths[which % paths.length] ?? "/";
          const headers = { "content-type": "application/scim+json" };
          const {
            status,
            headers: answered,
            body: read,
          } = await client.send(`/scim/v2${path}`, { method, headers, body: JSON.stringify(sent) ?? "" });
          expect({ status, text: read?.detail }).toSatisfy(() => status < 500);
          expect(answered.get("content-type")).toBe("application/scim+json");
          for (const result of read?.Operations ?? []) expect(Number(result.status)).toBeLessThan(500);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it("gets the same in a URL", async () => {
    const client = createTestClient(world.server.url, world.scimToken);
    const names = fc.constantFrom(
      "filter",
      "sortBy",
      "sortOrder",
      "startIndex",
      "count",
      "cursor",
      "attributes",
      "excludedAttributes",
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.dictionary(names, text), async (which, query) => {
        const path = paths[which % paths.length] ?? "/";
        const search = Object.entries(query).map(
          ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
        );
        const { status } = await client.get(`/scim/v2${path}?${search.join("&")}`);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: runs(300) },
    );
  });
});
