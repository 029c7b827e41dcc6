import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { mapDirectoryGroup } from "../../../src/domain/directory/map-directory-group.ts";
import { checkAuditChain } from "../../support/audit-chain.ts";
import {
  type Idp,
  type ScimWorld,
  createScimWorld,
  groupBody,
  patchBody,
  userBody,
  word,
} from "../../support/scim-world.ts";

let world: ScimWorld;
let idp: Idp;
let ctx: Ctx;
let workspaceId: string;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  ({ idp, ctx, workspaceId } = await world.another());
});

async function create(fields: Record<string, unknown> = {}) {
  const { status, body } = await idp.post("/Users", userBody(fields));
  expect(status).toBe(201);
  return body;
}

async function readUserRow(id: string) {
  return ctx.db.user.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } });
}

describe("roles (29)", () => {
  it("come from no attribute, and neither do passwords", async () => {
    const { id, roles } = await create({
      roles: [{ value: "owner" }, { value: "admin", primary: true }],
      userType: "owner",
      role: "owner",
      password: "a long enough password",
    });
    expect(roles).toHaveLength(2);
    expect(await readUserRow(id)).toMatchObject({ role: "viewer", hashedPassword: null });
  });

  it("come from mapped groups: the highest counts", async () => {
    const { id } = await create();
    const [operators, admins] = [
      (await idp.post("/Groups", groupBody({ members: [{ value: id }] }))).body.id,
      (await idp.post("/Groups", groupBody())).body.id,
    ];
    const role = async () => (await readUserRow(id)).role;
    const member = (group: string, op: "add" | "remove") =>
      idp.patch(
        `/Groups/${group}`,
        patchBody(
          op === "add"
            ? { op, path: "members", value: [{ value: id }] }
            : { op, path: `members[value eq "${id}"]` },
        ),
      );
    expect(await role()).toBe("viewer");
    await mapDirectoryGroup(ctx, operators, "operator");
    expect(await role()).toBe("operator");
    await mapDirectoryGroup(ctx, admins, "admin");
    await member(admins, "add");
    expect(await role()).toBe("admin");
    await member(admins, "remove");
    expect(await role()).toBe("operator");
    await idp.delete(`/Groups/${operators}`);
    expect(await role()).toBe("viewer");
    expect(await world.readNames("audit_event", id)).toEqual([
      "user.created",
      ...Array.from({ length: 4 }, () => "user.role_changed"),
    ]);
    const lower = await world.server.database.query(
      "SELECT 1 FROM revocation WHERE subject_id = $1 AND reason = 'role_changed'",
      [id],
    );
    expect(lower).toHaveLength(2);
  });

  it("don't change for owners, and for users in no mapped group", async () => {
    const [owner, admin] = [crypto.randomUUID(), crypto.randomUUID()];
    await ctx.db.user.create({
      data: { workspaceId, id: owner, email: `${word()}@x.example`, role: "owner" },
    });
    await ctx.db.user.create({
      data: { workspaceId, id: admin, email: `${word()}@x.example`, role: "admin" },
    });
    const { body } = await idp.post("/Groups", groupBody({ members: [{ value: owner }] }));
    await mapDirectoryGroup(ctx, body.id, "viewer");
    await idp.post("/Groups", groupBody({ members: [{ value: admin }] }));
    expect([(await readUserRow(owner)).role, (await readUserRow(admin)).role]).toEqual(["owner", "admin"]);
  });
});

describe("every write", () => {
  it("writes an event, updates totals, and keeps the audit chain intact", async () => {
    const flag = async () =>
      (await ctx.db.workspace.findUniqueOrThrow({ where: { id: workspaceId } })).scimManaged;
    expect(await flag()).toBe(false);
    const [one, two] = [await create(), await create()];
    expect(await flag()).toBe(true);
    const group = (await idp.post("/Groups", groupBody({ members: [{ value: one.id }, { value: two.id }] })))
      .body;
    await idp.patch(`/Groups/${group.id}`, patchBody({ op: "replace", path: "displayName", value: "x" }));
    await idp.delete(`/Users/${one.id}`);
    await idp.post("/Groups", groupBody());
    await idp.delete(`/Groups/${group.id}`);
    const totals = await world.server.database.query<{ collection: string; total: number }>(
      "SELECT collection, total FROM collection_total WHERE workspace_id = $1 AND collection IN ('users', 'groups') AND facet = 'all' ORDER BY 1",
      [workspaceId],
    );
    expect(totals).toEqual([
      { collection: "groups", total: 1 },
      { collection: "users", total: 1 },
    ]);
    expect(await world.readNames("event", group.id)).toEqual([
      "group.created",
      "group.updated",
      "group.updated",
      "group.deleted",
    ]);
    expect(await checkAuditChain(world.server.database, workspaceId)).toMatchObject({ brokenAt: null });
    const [actor] = await world.server.database.query<{ actor: { type: string; id: string } }>(
      "SELECT actor FROM audit_event WHERE target_id = $1 ORDER BY seq LIMIT 1",
      [two.id],
    );
    const [token] = await ctx.db.scimToken.findMany({ where: {} });
    expect(actor?.actor).toMatchObject({ type: "scim", id: token?.id });
  });

  it("writes no event if nothing changed", async () => {
    const made = await create({ title: "x" });
    await idp.put(`/Users/${made.id}`, made);
    await idp.patch(`/Users/${made.id}`, patchBody({ op: "replace", path: "title", value: "x" }));
    expect(await world.readNames("event", made.id)).toEqual(["user.created"]);
    expect(await world.readNames("audit_event", made.id)).toEqual(["user.created"]);
  });

  it("keeps names and addresses out of events", async () => {
    const secret = `private-${word()}`;
    const { id } = await create({
      title: secret,
      displayName: secret,
      emails: [{ value: `${secret}@x.example` }],
    });
    await idp.patch(`/Users/${id}`, patchBody({ op: "replace", path: "title", value: `${secret}-2` }));
    const [rows] = await world.server.database.query<{ text: string }>(
      "SELECT string_agg(e::text, ' ') AS text FROM event e WHERE workspace_id = $1",
      [workspaceId],
    );
    expect(rows?.text).not.toContain(secret);
  });
});

describe("two concurrent writes (26)", () => {
  it("both apply if they change different attributes of one user", async () => {
    const { id } = await create();
    const names = ["title", "nickName", "userType", "locale", "timezone", "displayName", "preferredLanguage"];
    const answers = await Promise.all(
      names.map((path) => idp.patch(`/Users/${id}`, patchBody({ op: "replace", path, value: path }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect((await idp.get(`/Users/${id}`)).body).toMatchObject(
      Object.fromEntries(names.map((name) => [name, name])),
    );
  });

  it("create one user if they create the same", async () => {
    const body = userBody();
    const answers = await Promise.all(Array.from({ length: 8 }, () => idp.post("/Users", body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    expect((await idp.get("/Users")).body.totalResults).toBe(1);
  });

  it("succeed when users are deleted from groups they are added to", async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => create()));
    const groups = await Promise.all(
      Array.from({ length: 3 }, () =>
        idp.post("/Groups", groupBody({ members: people.map(({ id }) => ({ value: id })) })),
      ),
    );
    await mapDirectoryGroup(ctx, groups[0]?.body.id, "operator");
    const answers = await Promise.all([
      ...people.slice(0, 6).map(({ id }) => idp.delete(`/Users/${id}`)),
      ...groups.flatMap(({ body }) =>
        people
          .slice(6)
          .map(({ id }) =>
            idp.patch(`/Groups/${body.id}`, patchBody({ op: "remove", path: `members[value eq "${id}"]` })),
          ),
      ),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    for (const { body } of groups)
      expect((await idp.get(`/Groups/${body.id}`)).body).not.toHaveProperty("members");
  });
});
