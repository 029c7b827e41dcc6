import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE, withoutServerFields } from "../../support/scim-user.ts";
import {
  type ScimWorld,
  URN,
  createIdp,
  createScimWorld,
  patchBody,
  userBody,
  word,
} from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

describe("POST /scim/v2/Users", () => {
  it("creates a user and returns all of it with its URL and ETag", async () => {
    const body = userBody({ ...WHOLE, schemas: [URN.user, URN.enterprise] });
    const { status, headers, body: made } = await world.idp.post("/Users", body);
    expect(status).toBe(201);
    // The manager is unknown here, and so has no URL.
    expect(withoutServerFields(made)).toEqual(body);
    expect(made.id).toMatch(/^[0-9a-f-]{36}$/);
    const location = `${world.server.url}/scim/v2/Users/${made.id}`;
    expect(made.meta).toEqual({
      resourceType: "User",
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastModified: made.meta.created,
      location,
      version: headers.get("etag"),
    });
    expect(headers.get("location")).toBe(location);
    expect(headers.get("etag")).toMatch(/^W\/"[^"]+"$/);
    const path = `/Users/${made.id}`;
    for (const answer of [
      await world.idp.get(path),
      await world.idp.put(path, made),
      await world.idp.patch(path, patchBody()),
    ]) {
      expect(answer.body).toEqual(made);
      expect(answer.headers.get("etag")).toBe(made.meta.version);
      for (const name of ["location", "content-location"]) expect(answer.headers.get(name)).toBe(location);
    }
  });

  it("accepts names in any case, and ignores empty, unknown and read-only attributes", async () => {
    const id = crypto.randomUUID();
    const { status, body } = await world.idp.post("/Users", {
      SCHEMAS: [URN.user],
      USERNAME: `Case-${word()}`,
      Name: { GIVENNAME: "Ada", familyName: null, nosuch: "x" },
      Emails: [{ VALUE: "ada@x.example", Type: "work" }, null, {}],
      phoneNumbers: [],
      addresses: null,
      nickName: null,
      nosuch: { a: 1 },
      ["urn:example:other"]: { a: 1 },
      id,
      meta: { created: "2000-01-01T00:00:00Z" },
      groups: [{ value: id }],
      active: "True",
      title: ["Boss"],
      password: "1mz050nq",
    });
    expect(status).toBe(201);
    expect(body.id).not.toBe(id);
    expect(withoutServerFields(body)).toEqual({
      schemas: [URN.user],
      userName: body.userName,
      name: { givenName: "Ada" },
      emails: [{ value: "ada@x.example", type: "work" }],
      title: "Boss",
      active: true,
    });
    expect(body.meta.created).not.toContain("2000");
  });

  it("accepts base64 without padding, and core attributes under their schema's URN", async () => {
    const x509Certificates = [{ value: "TUlJQw" }, { value: "TUk" }, { value: "TUlJQw==" }];
    const { userName, ...rest } = userBody({ x509Certificates });
    const { status, body } = await world.idp.post("/Users", {
      ...rest,
      [URN.user]: { userName, title: "Boss" },
    });
    expect({ status, ...withoutServerFields(body) }).toEqual({
      status: 201,
      ...{ schemas: [URN.user], userName, title: "Boss", active: true, x509Certificates },
    });
  });

  it("accepts application/json, and users are active by default", async () => {
    const json = createIdp(world.server.url, world.scimToken, "application/json; charset=utf-8");
    const { status, body, headers } = await json.post("/Users", userBody());
    expect({ status, active: body.active }).toEqual({ status: 201, active: true });
    expect(headers.get("content-type")).toBe("application/scim+json");
  });

  it("neither stores nor logs passwords", async () => {
    const password = `secret-${word()}`;
    const { body } = await world.idp.post("/Users", userBody({ password }));
    expect(body).not.toHaveProperty("password");
    const [row] = await world.server.database.query<{ text: string; hashed: string | null }>(
      `SELECT u::text AS text, hashed_password AS hashed FROM "user" u WHERE id = $1`,
      [body.id],
    );
    expect(row?.text).not.toContain(password);
    expect(row?.hashed).toBeNull();
    expect(world.server.logged.join("\n")).not.toContain(password);
  });

  it("sends no email", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const outbox = await world.server.database.query("SELECT 1 FROM mail_outbox WHERE user_id = $1", [
      body.id,
    ]);
    expect(outbox).toEqual([]);
  });

  it("rejects another user's name in any case, until that user is deleted", async () => {
    const userName = `Dup-${word()}@example.com`;
    const first = await world.idp.post("/Users", userBody({ userName }));
    const again = await world.idp.post("/Users", userBody({ userName: userName.toUpperCase() }));
    expect({ status: again.status, body: again.body }).toMatchObject({
      status: 409,
      body: { schemas: [URN.error], status: "409", scimType: "uniqueness", detail: expect.any(String) },
    });
    await world.idp.delete(`/Users/${first.body.id}`);
    const anew = await world.idp.post("/Users", userBody({ userName }));
    expect(anew.status).toBe(201);
    expect(anew.body.id).not.toBe(first.body.id);
  });

  it("lets two provisioned users share an address, and the first log in with it", async () => {
    const emails = [{ value: `shared-${word()}@example.com`, primary: true }];
    const [one, two] = [
      await world.idp.post("/Users", userBody({ userName: word(), emails })),
      await world.idp.post("/Users", userBody({ userName: word(), emails })),
    ];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.body.emails).toEqual(emails);
    const rows = await world.server.database.query<{ email: string | null }>(
      `SELECT email FROM "user" WHERE id = ANY ($1::uuid[]) ORDER BY array_position($1::uuid[], id)`,
      [[one.body.id, two.body.id]],
    );
    expect(rows.map(({ email }) => email)).toEqual([emails[0]?.value, null]);
  });

  it("lets them share it when created concurrently", async () => {
    const emails = [{ value: `at-once-${word()}@example.com`, primary: true }];
    const bodies = Array.from({ length: 6 }, () => userBody({ userName: word(), emails }));
    const answers = await Promise.all(bodies.map((body) => world.idp.post("/Users", body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
  });

  it.each<[string, Record<string, unknown>]>([
    ["without a userName", { userName: undefined }],
    ["with an empty one", { userName: " " }],
    ["with a null one", { userName: null }],
    ["with a number as userName", { userName: 5 }],
    ["with one that is too long", { userName: "x".repeat(300) }],
    ["without schemas", { schemas: undefined }],
    ["with another schema only", { schemas: [URN.group] }],
    ["with schemas that are not a list", { schemas: URN.user }],
    ["with schemas that are not text", { schemas: [{ toString: null }, [URN.user]] }],
    ["with a string as active", { active: "maybe" }],
    ["with a number as active", { active: 1 }],
    ["with a string as name", { name: "Ada" }],
    ["with several values instead of one", { title: ["a", "b"] }],
    ["with a number as email", { emails: [5] }],
    [
      "with two primary emails",
      {
        emails: [
          { value: "a@x", primary: true },
          { value: "b@x", primary: true },
        ],
      },
    ],
    ["with a string as emails", { emails: "ada@x.example" }],
    ["with an email outside a list", { emails: { value: "ada@x.example" } }],
    ["with a certificate that is not base64", { x509Certificates: [{ value: "!" }] }],
    ["with a certificate with incomplete base64", { x509Certificates: [{ value: "TUlJQ" }] }],
    ["with an address that is too long", { emails: [{ value: "x".repeat(300) }] }],
    ["with a string that is too long", { title: "x".repeat(3000) }],
    ["with a NUL", { title: "a\u0000" }],
    ["with half a surrogate pair", { title: "\ud800" }],
    ["with too many elements", { roles: Array.from({ length: 300 }, (_, n) => ({ value: `r${n}` })) }],
  ])("rejects a user %s", async (_what, fields) => {
    const { status, body } = await world.idp.post("/Users", userBody(fields));
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { schemas: [URN.error], status: "400", scimType: "invalidValue" },
    });
  });

  it.each(["", "{", "[]", '"x"', "null", "{} {}"])("rejects the body %j", async (text) => {
    const { status, body } = await world.idp.post("/Users", text);
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: "invalidSyntax" });
  });

  it("rejects a body that is not UTF-8", async () => {
    const latin1 = Buffer.from(JSON.stringify(userBody({ userName: "J\u00fcrgen" })), "latin1");
    const answer = await fetch(`${world.server.url}/scim/v2/Users`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.scimToken}`, "content-type": "application/scim+json" },
      body: latin1,
    });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 400,
      body: { schemas: [URN.error], scimType: "invalidSyntax" },
    });
    const filter = encodeURIComponent('userName sw "J" and userName ew "rgen"');
    expect((await world.idp.get(`/Users?filter=${filter}`)).body.totalResults).toBe(0);
  });

  it("rejects other media types, compressed bodies and too large ones", async () => {
    const gzip = await world.idp.post("/Users", userBody(), { "content-encoding": "gzip" });
    expect({ status: gzip.status, error: gzip.body.status }).toEqual({ status: 415, error: "415" });
    const xml = await world.idp.post("/Users", userBody(), { "content-type": "application/xml" });
    expect({ status: xml.status, error: xml.body.status }).toEqual({ status: 415, error: "415" });
    const large = await world.idp.post("/Users", userBody({ title: "x".repeat(1_100_000) }));
    expect({ status: large.status, error: large.body.status }).toEqual({ status: 413, error: "413" });
  });
});
