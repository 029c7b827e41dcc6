import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BEFORE, HOME, WORK, patchUser } from "../../support/patch-user.ts";
import { type ScimWorld, URN, createScimWorld, patchBody, userBody } from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

type Case = [string, object[], Record<string, unknown>];

const BOTH_SHOWN = { emails: [WORK, HOME].map((email) => ({ ...email, display: "D" })) };

/** Undefined means removed. */
const CASES: Case[] = [
  // add, 3.5.2.1
  ["adds a single value", [{ op: "add", path: "nickName", value: "A" }], { nickName: "A" }],
  [
    "replaces an existing value by adding",
    [{ op: "add", path: "title", value: "Chief" }],
    { title: "Chief" },
  ],
  [
    "adds a sub-attribute",
    [{ op: "add", path: "name.middleName", value: "King" }],
    { name: { ...BEFORE.name, middleName: "King" } },
  ],
  [
    "adds sub-attributes and keeps the others",
    [{ op: "add", path: "name", value: { middleName: "King" } }],
    { name: { ...BEFORE.name, middleName: "King" } },
  ],
  [
    "adds an element",
    [{ op: "add", path: "emails", value: [{ value: "o@x.example", type: "other" }] }],
    { emails: [WORK, HOME, { value: "o@x.example", type: "other" }] },
  ],
  [
    "adds an element outside a list",
    [{ op: "add", path: "emails", value: { value: "o@x.example" } }],
    { emails: [WORK, HOME, { value: "o@x.example" }] },
  ],
  ["doesn't add an existing element again", [{ op: "add", path: "emails", value: [HOME] }], {}],
  [
    "makes a new primary element the only one",
    [{ op: "add", path: "emails", value: [{ value: "o@x.example", primary: true }] }],
    { emails: [{ ...WORK, primary: false }, HOME, { value: "o@x.example", primary: true }] },
  ],
  [
    "adds without a path",
    [{ op: "add", value: { nickName: "A", emails: [{ value: "o@x.example" }] } }],
    { nickName: "A", emails: [WORK, HOME, { value: "o@x.example" }] },
  ],
  [
    "adds to a sub-attribute of matching elements",
    [{ op: "add", path: 'emails[type eq "home"].display', value: "Home" }],
    { emails: [WORK, { ...HOME, display: "Home" }] },
  ],
  [
    "adds sub-attributes to matching elements",
    [{ op: "add", path: 'addresses[type eq "work"]', value: { region: "LDN" } }],
    { addresses: [{ type: "work", locality: "London", country: "GB", region: "LDN" }] },
  ],
  // replace, 3.5.2.3
  ["replaces a value", [{ op: "replace", path: "title", value: "Chief" }], { title: "Chief" }],
  ["replaces a missing value", [{ op: "replace", path: "nickName", value: "A" }], { nickName: "A" }],
  [
    "replaces sub-attributes and keeps the others",
    [{ op: "replace", path: "name", value: { givenName: "Eva" } }],
    { name: { givenName: "Eva", familyName: "Byron" } },
  ],
  [
    "replaces a sub-attribute",
    [{ op: "replace", path: "name.familyName", value: "King" }],
    { name: { givenName: "Ada", familyName: "King" } },
  ],
  [
    "replaces every element",
    [{ op: "replace", path: "emails", value: [{ value: "o@x.example" }] }],
    { emails: [{ value: "o@x.example" }] },
  ],
  [
    "replaces matching elements",
    [{ op: "replace", path: 'addresses[type eq "work"]', value: { type: "work", locality: "Oslo" } }],
    { addresses: [{ type: "work", locality: "Oslo" }] },
  ],
  [
    "replaces a sub-attribute of matching elements",
    [{ op: "replace", path: 'emails[type eq "work"].value', value: "n@x.example" }],
    { emails: [{ ...WORK, value: "n@x.example" }, HOME] },
  ],
  [
    "finds elements by several conditions",
    [{ op: "replace", path: 'emails[type eq "work" and value ew ".example"].display', value: "D" }],
    { emails: [{ ...WORK, display: "D" }, HOME] },
  ],
  [
    "finds elements by or and not",
    [{ op: "replace", path: 'emails[not (type eq "work") or value eq "none"].display', value: "D" }],
    { emails: [WORK, { ...HOME, display: "D" }] },
  ],
  [
    "lets another element become primary",
    [{ op: "replace", path: 'emails[type eq "home"].primary', value: true }],
    {
      emails: [
        { ...WORK, primary: false },
        { ...HOME, primary: true },
      ],
    },
  ],
  [
    "replaces without a path",
    [{ op: "replace", value: { title: "Chief", name: { givenName: "Eva" } } }],
    { title: "Chief", name: { givenName: "Eva", familyName: "Byron" } },
  ],
  ["treats null as no value", [{ op: "replace", path: "title", value: null }], { title: undefined }],
  ["treats an empty list as no value", [{ op: "replace", path: "emails", value: [] }], { emails: undefined }],
  [
    "clears sub-attributes that are null, and keeps the others",
    [
      { op: "replace", path: "name", value: { familyName: null } },
      { op: "add", value: { [URN.enterprise]: { department: null } } },
    ],
    { name: { givenName: "Ada" }, [URN.enterprise]: { costCenter: "1" } },
  ],
  [
    "changes nothing for values without writable attributes",
    [
      { op: "replace", path: "name", value: {} },
      { op: "add", path: "name", value: { nosuch: "x" } },
      { op: "replace", path: URN.enterprise, value: { manager: { displayName: "Boss" } } },
      { op: "add", path: 'emails[type eq "home"]', value: { display: null } },
    ],
    {},
  ],
  // remove, 3.5.2.2
  ["removes a value", [{ op: "remove", path: "title" }], { title: undefined }],
  [
    "removes a sub-attribute, and the attribute with its last one",
    [
      { op: "remove", path: "name.givenName" },
      { op: "remove", path: "name.familyName" },
    ],
    { name: undefined },
  ],
  ["removes every element", [{ op: "remove", path: "emails" }], { emails: undefined }],
  ["removes matching elements", [{ op: "remove", path: 'emails[type eq "work"]' }], { emails: [HOME] }],
  [
    "removes a sub-attribute of matching elements",
    [{ op: "remove", path: 'addresses[type eq "work"].country' }],
    { addresses: [{ type: "work", locality: "London" }] },
  ],
  [
    "removes an element with its value",
    [{ op: "remove", path: 'emails[type eq "work"].value' }],
    { emails: [HOME] },
  ],
  ["can remove a missing value", [{ op: "remove", path: "nickName" }], {}],
  // Paths that match several values, 3.5.2.2 and 3.5.2.3
  ...["add", "replace"].map((op): Case => [
    `changes a part of all elements that fit, by ${op}`,
    [{ op, path: 'emails[value ew ".example"].display', value: "D" }],
    BOTH_SHOWN,
  ]),
  ...["add", "replace"].map((op): Case => [
    `changes a part of all elements without a condition, by ${op}`,
    [{ op, path: "emails.display", value: "D" }],
    BOTH_SHOWN,
  ]),
  [
    "adds sub-attributes to all matching elements",
    [{ op: "add", path: 'emails[value ew ".example"]', value: { display: "D" } }],
    BOTH_SHOWN,
  ],
  [
    "removes a sub-attribute of all matching elements",
    [{ op: "remove", path: 'emails[value ew ".example"].type' }],
    { emails: [{ value: WORK.value, primary: true }, { value: HOME.value }] },
  ],
  [
    "removes all matching elements",
    [{ op: "remove", path: 'emails[value ew ".example"]' }],
    { emails: undefined },
  ],
  // Names, 3.10
  [
    "accepts names in any case",
    [{ OP: "REPLACE", Path: "NAME.GivenName", VALUE: "Eva" }],
    { name: { givenName: "Eva", familyName: "Byron" } },
  ],
  [
    "accepts names with the core schema's URN",
    [{ op: "replace", path: `${URN.user}:name.givenName`, value: "Eva" }],
    { name: { givenName: "Eva", familyName: "Byron" } },
  ],
  [
    "accepts names of the extension",
    [{ op: "replace", path: `${URN.enterprise}:department`, value: "IT" }],
    { [URN.enterprise]: { department: "IT", costCenter: "1" } },
  ],
  [
    "accepts the whole extension",
    [{ op: "add", path: URN.enterprise, value: { division: "D" } }],
    { [URN.enterprise]: { ...BEFORE[URN.enterprise], division: "D" } },
  ],
  [
    "removes the extension, and its schema with it",
    [{ op: "remove", path: URN.enterprise }],
    { [URN.enterprise]: undefined, schemas: [URN.user] },
  ],
  [
    "accepts the extension as a member",
    [{ op: "replace", value: { [URN.enterprise]: { department: "IT" } } }],
    { [URN.enterprise]: { department: "IT", costCenter: "1" } },
  ],
  // Several
  [
    "applies operations in order",
    [
      { op: "add", path: "nickName", value: "A" },
      { op: "replace", path: "nickName", value: "B" },
      { op: "remove", path: "title" },
    ],
    { nickName: "B", title: undefined },
  ],
  [
    "allows a later operation to restore what an earlier one removed",
    [
      { op: "remove", path: "userName" },
      { op: "add", path: "userName", value: "mended-patch" },
    ],
    { userName: "mended-patch" },
  ],
  // Nothing
  ["changes nothing without operations", [], {}],
  [
    "changes nothing that is already so",
    [
      { op: "replace", path: "title", value: "Boss" },
      { op: "add", path: "emails", value: [WORK] },
    ],
    {},
  ],
  [
    "ignores unknown and read-only attributes in a value",
    [
      {
        op: "replace",
        value: { id: "x", meta: {}, groups: [], schemas: ["x"], nosuch: 1, password: "p", nickName: "A" },
      },
    ],
    { nickName: "A" },
  ],
];

describe("PATCH /scim/v2/Users/:id", () => {
  it.each(CASES)("%s", async (_what, operations, expected) => {
    const { status, body, made } = await patchUser(world.idp, operations);
    expect({ status, detail: body?.detail }).toEqual({ status: 200, detail: undefined });
    const { meta, ...rest } = body;
    const { meta: before, ...unchanged } = made;
    const after = Object.fromEntries(
      Object.entries({ ...unchanged, ...expected }).filter(([, value]) => value !== undefined),
    );
    expect(rest).toEqual(after);
    const isSame = Object.keys(expected).length === 0;
    expect(meta.version === before.version).toBe(isSame);
    expect(meta.lastModified === before.lastModified).toBe(isSame);
  });

  it("compares elements case-sensitively only for case-sensitive attributes", async () => {
    const { body } = await world.idp.post(
      "/Users",
      userBody({ x509Certificates: [{ value: "aaaa" }], roles: [{ value: "writer" }] }),
    );
    const added = await world.idp.patch(
      `/Users/${body.id}`,
      patchBody(
        { op: "add", path: "x509Certificates", value: [{ value: "AAAA" }] },
        { op: "add", path: "roles", value: [{ value: "Writer" }] },
      ),
    );
    expect(added.body.x509Certificates).toEqual([{ value: "aaaa" }, { value: "AAAA" }]);
    expect(added.body.roles).toEqual([{ value: "Writer" }]);
    const certificate = { op: "remove", path: "x509Certificates", value: [{ value: "AAAA" }] };
    const left = await world.idp.patch(`/Users/${body.id}`, patchBody(certificate));
    expect(left.body.x509Certificates).toEqual([{ value: "aaaa" }]);
  });

  it("returns the requested attributes", async () => {
    const { body } = await world.idp.post("/Users", userBody(BEFORE));
    const change = patchBody({ op: "replace", path: "title", value: "x" });
    const answer = await world.idp.patch(`/Users/${body.id}?attributes=title`, change);
    expect(answer.body).toEqual({ schemas: body.schemas, id: body.id, title: "x" });
  });
});
