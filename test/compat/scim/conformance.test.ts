import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { type AdasWorld, createAdasWorld } from "../../support/scim-ada.ts";
import { URN, expectScimError, userBody } from "../../support/scim-world.ts";

let world: AdasWorld;
let user: AdasWorld["user"];
let group: AdasWorld["group"];

beforeAll(async () => {
  world = await createAdasWorld();
  ({ user, group } = world);
});

afterAll(() => world.close());

type Described = { name: string; type: string; subAttributes?: Described[] };

describe("paths", () => {
  it.each([
    ["/users", 200],
    ["/USERS/", 200],
    ["/Users/?count=1", 200],
    ["/groups", 200],
    ["/serviceproviderconfig", 200],
    ["/ResourceTypes/user", 200],
    ["/schemas/", 200],
    [`/Schemas/${URN.user.toUpperCase()}`, 200],
    [`/Schemas/${encodeURIComponent(URN.user)}`, 200],
  ])("%s are accepted in any case, with or without a trailing slash", async (path, status) => {
    expect((await world.idp.get(path)).status).toBe(status);
    const shouted = await createTestClient(world.server.url, world.scimToken).get(`/SCIM/V2${path}`);
    expect(shouted.status).toBe(status);
  });

  it.each([
    ["GET", "/nosuch", 404],
    ["GET", "/Users/x", 404],
    ["GET", `/Users/${crypto.randomUUID()}`, 404],
    ["GET", "/Users/a/b", 404],
    ["GET", "/Schemas/nosuch", 404],
    ["GET", "/Schemas/%E0%A4%A", 404],
    ["GET", "/ResourceTypes/nosuch", 404],
    ["GET", "/Me", 501],
    ["POST", "/Me", 501],
    ["PUT", "/Users", 405],
    ["PATCH", "/Users", 405],
    ["DELETE", "/Groups", 405],
    ["POST", `/Users/${crypto.randomUUID()}`, 405],
    ["POST", "/Schemas", 405],
    ["DELETE", "/ServiceProviderConfig", 405],
    ["GET", "/Bulk", 405],
  ])("%s %s is %i", async (method, path, status) => {
    const answer = await createTestClient(world.server.url, world.scimToken).send(`/scim/v2${path}`, {
      method,
    });
    expectScimError(answer, status);
    if (status === 405) expect(answer.headers.get("allow")).toMatch(/GET|POST/);
  });
});

describe("discovery", () => {
  it("describes the supported features", async () => {
    const { status, body } = await world.idp.get("/ServiceProviderConfig");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 100, maxPayloadSize: 1_048_576 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      pagination: {
        cursor: true,
        index: true,
        defaultPaginationMethod: "index",
        defaultPageSize: 100,
        maxPageSize: 200,
      },
      authenticationSchemes: [{ type: "oauthbearertoken", primary: true }],
      meta: {
        resourceType: "ServiceProviderConfig",
        location: `${world.server.url}/scim/v2/ServiceProviderConfig`,
      },
    });
  });

  it("lists the resource types", async () => {
    const { body } = await world.idp.get("/ResourceTypes");
    expect(body).toMatchObject({ schemas: [URN.list], totalResults: 3, itemsPerPage: 3, startIndex: 1 });
    for (const type of body.Resources) {
      expect(type).toMatchObject({
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
        id: type.name,
      });
      expect((await world.idp.get(`/ResourceTypes/${type.id}`)).body).toEqual(type);
      expect((await world.idp.get(type.endpoint)).status).toBe(200);
      expect((await world.idp.get(`/Schemas/${type.schema}`)).status).toBe(200);
    }
    expect(body.Resources[0].schemaExtensions).toEqual([{ schema: URN.enterprise, required: false }]);
  });

  it("lists the schemas with every characteristic of each attribute and no null", async () => {
    const { body, text } = await world.idp.get("/Schemas");
    const core = "urn:ietf:params:scim:schemas:core:2.0";
    expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual([
      ...[URN.user, URN.enterprise, URN.group, URN.agent],
      ...["ServiceProviderConfig", "ResourceType", "Schema"].map((name) => `${core}:${name}`),
    ]);
    expect(text).not.toContain("null");
    const check = (attribute: Record<string, unknown>): void => {
      expect(attribute).toMatchObject({
        name: expect.any(String),
        type: expect.stringMatching(/^(string|boolean|integer|dateTime|reference|binary|complex)$/),
        multiValued: expect.any(Boolean),
        description: expect.any(String),
        required: expect.any(Boolean),
        mutability: expect.stringMatching(/^(readOnly|readWrite|immutable|writeOnly)$/),
        returned: expect.stringMatching(/^(always|never|default|request)$/),
      });
      const { type, caseExact, uniqueness, referenceTypes } = attribute;
      // RFC 7643, 2.3: only text has both; references and binaries are case-sensitive.
      if (type === "boolean" || type === "integer" || type === "complex")
        expect([caseExact, uniqueness]).toEqual([undefined, undefined]);
      else expect(uniqueness).toMatch(/^(none|server|global)$/);
      if (type === "string") expect(caseExact).toEqual(expect.any(Boolean));
      if (type === "reference" || type === "binary") expect(caseExact).toBe(true);
      expect(Array.isArray(referenceTypes)).toBe(type === "reference");
      for (const sub of (attribute["subAttributes"] as Record<string, unknown>[] | undefined) ?? [])
        check(sub);
    };
    for (const schema of body.Resources) {
      expect((await world.idp.get(`/Schemas/${schema.id}`)).body).toEqual(schema);
      for (const attribute of schema.attributes) check(attribute);
    }
  });

  it.each(["/ServiceProviderConfig", "/ResourceTypes", "/Schemas"])(
    "has a complete schema of %s",
    async (path) => {
      const { body } = await world.idp.get(path);
      const described = (value: unknown, attributes: Described[]): string[] => {
        if (Array.isArray(value)) return value.flatMap((each) => described(each, attributes));
        if (typeof value !== "object" || value === null) return [];
        return Object.entries(value).flatMap(([name, inner]) => {
          const found = attributes.find((attribute) => attribute.name === name);
          return found === undefined ? [name] : described(inner, found.subAttributes ?? []);
        });
      };
      for (const { schemas, meta: _meta, ...shown } of body.Resources ?? [body]) {
        const schema = await world.idp.get(`/Schemas/${schemas[0]}`);
        expect(schema.status).toBe(200);
        // The schema of schemas doesn't describe sub-attributes of sub-attributes.
        if (shown.id !== schemas[0]) expect(described(shown, schema.body.attributes)).toEqual([]);
      }
    },
  );

  it("lists only attributes that can be filtered and sorted, except the password", async () => {
    const { body } = await world.idp.get("/Schemas");
    const resources = new Set<string>([URN.user, URN.enterprise, URN.group, URN.agent]);
    // A complex value is sorted by a sub-attribute.
    const ofResources = body.Resources.filter(({ id }: { id: string }) => resources.has(id));
    const asked = ofResources.flatMap(({ id, attributes }: { id: string; attributes: Described[] }) =>
      attributes.flatMap(({ name, type, subAttributes = [] }) => [
        { id, name, sorted: type !== "complex" },
        ...subAttributes.map((sub) => ({ id, name: `${name}.${sub.name}`, sorted: true })),
      ]),
    );
    const refused: string[] = [];
    const endpoints: Record<string, string> = { [URN.group]: "/Groups", [URN.agent]: "/Agents" };
    for (const { id, name, sorted } of asked) {
      const full = `${id}:${name}`;
      const filter = encodeURIComponent(`${full} pr or not (${full} pr)`);
      const sort = sorted ? `&sortBy=${encodeURIComponent(full)}` : "";
      const endpoint = endpoints[id] ?? "/Users";
      const answer = await world.idp.get(`${endpoint}?filter=${filter}${sort}`);
      if (answer.body.totalResults !== 1) refused.push(name);
    }
    expect(asked.length).toBeGreaterThan(80);
    expect(refused).toEqual(["password"]);
  });

  it.each(["/ServiceProviderConfig", "/ResourceTypes", "/Schemas", `/Schemas/${URN.user}`])(
    "can't be filtered: %s",
    async (path) => {
      expectScimError(await world.idp.get(`${path}?filter=${encodeURIComponent('id eq "User"')}`), 403);
    },
  );
});

describe("attributes and excludedAttributes", () => {
  it.each<[string, string[]]>([
    ["attributes=userName", ["userName"]],
    ["attributes=USERNAME,%20displayname", ["userName", "displayName"]],
    ["attributes=id", []],
    ["attributes=nosuch", []],
    ["attributes=password", []],
    ["attributes=meta", ["meta"]],
    ["attributes=name", ["name"]],
    ["attributes=name.familyName,active", ["name", "active"]],
    ["attributes=emails.value", ["emails"]],
    ["attributes=groups.display", ["groups"]],
    [`attributes=${URN.user}:userName`, ["userName"]],
    [`attributes=${URN.enterprise}`, [URN.enterprise]],
    [`attributes=${URN.enterprise}:department`, [URN.enterprise]],
    [`attributes=${URN.enterprise}:manager.value`, [URN.enterprise]],
    ["excludedAttributes=emails,groups,meta", ["userName", "name", "displayName", "active", URN.enterprise]],
    [
      "excludedAttributes=id,schemas,emails,name,nosuch",
      ["userName", "displayName", "active", "groups", "meta", URN.enterprise],
    ],
    [`excludedAttributes=${URN.enterprise},name,groups,meta,active`, ["userName", "displayName", "emails"]],
    [
      "attributes=",
      ["userName", "name", "displayName", "active", "emails", "groups", "meta", URN.enterprise],
    ],
  ])("?%s returns only the requested attributes", async (query, names) => {
    const { status, body } = await world.idp.get(`/Users/${user.id}?${query}`);
    expect(status).toBe(200);
    expect(new Set(Object.keys(body))).toEqual(new Set(["schemas", "id", ...names]));
    const list = await world.idp.get(`/Users?${query}`);
    expect(list.body.Resources).toEqual([body]);
    const search = await world.idp.post("/Users/.search", {
      schemas: [URN.search],
      ...Object.fromEntries(new URLSearchParams(query)),
    });
    expect(search.body.Resources).toEqual([body]);
  });

  it.each(["attributes", "excludedAttributes"])("%s has at most a thousand names", async (parameter) => {
    const search = async (count: number, names: (name: string[]) => unknown) => {
      const given = names(Array.from({ length: count }, () => "title"));
      const body = { schemas: [URN.search], [parameter]: given };
      return (await world.idp.post("/.search", body)).status;
    };
    for (const names of [(all: string[]) => all, (all: string[]) => all.join(",")]) {
      expect(await search(1000, names)).toBe(200);
      expect(await search(1001, names)).toBe(400);
    }
  });

  it("select sub-attributes", async () => {
    const get = async (query: string) => (await world.idp.get(`/Users/${user.id}?${query}`)).body;
    expect((await get("attributes=name.familyName")).name).toEqual({ familyName: "Byron" });
    expect((await get("excludedAttributes=name.familyName")).name).toEqual({ givenName: "Ada" });
    expect((await get("attributes=emails.type")).emails).toEqual([{ type: "work" }]);
    expect((await get("excludedAttributes=emails.type")).emails).toEqual([
      { value: "a@x.example" },
      { value: "b@x.example" },
    ]);
    const some = await get(`excludedAttributes=${URN.enterprise}:division,${URN.enterprise}:manager`);
    expect(some[URN.enterprise]).toEqual({ department: "D" });
    expect((await get("attributes=meta.location")).meta).toEqual({ location: expect.any(String) });
  });

  it("apply to every response with a resource", async () => {
    const made = await world.idp.post("/Users?attributes=userName", userBody({ title: "x" }));
    expect(Object.keys(made.body).toSorted()).toEqual(["id", "schemas", "userName"]);
    expect(made.headers.get("location")).toContain(made.body.id);
    const put = await world.idp.put(`/Users/${made.body.id}?excludedAttributes=meta`, userBody());
    expect(put.body).not.toHaveProperty("meta");
    expect(put.headers.get("etag")).toMatch(/^W\//);
    expect((await world.idp.get(`/Groups/${group.id}?attributes=displayName`)).body).toEqual({
      schemas: [URN.group],
      id: group.id,
      displayName: group["displayName"],
    });
    await world.idp.delete(`/Users/${made.body.id}`);
  });

  it("are mutually exclusive", async () => {
    expectScimError(
      await world.idp.get("/Users?attributes=userName&excludedAttributes=emails"),
      400,
      "invalidValue",
    );
  });
});
