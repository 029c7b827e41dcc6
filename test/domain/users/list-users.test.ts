import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { positionCursor } from "../../../src/domain/kernel/cursors.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { deleteUser } from "../../../src/domain/users/delete-user.ts";
import { inviteUser } from "../../../src/domain/users/invite-user.ts";
import { listUsers } from "../../../src/domain/users/list-users.ts";
import { readUser } from "../../../src/domain/users/read-user.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

/** Invites users. Those in `withPassword` have set one. */
async function people(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const email = `${name.toLowerCase().replaceAll(" ", ".")}@example.com`;
    ids.push(await inviteUser(ctx, { email, name, role: "viewer" }));
  }
  return ids;
}

async function setPassword(id: string): Promise<void> {
  await ctx.db.user.updateMany({ where: { id }, data: { hashedPassword: "x" } });
}

async function namesBy(filter: Parameters<typeof listUsers>[2]): Promise<(string | null)[]> {
  const { nodes, total } = await listUsers(ctx, {}, filter);
  expect(total).toBe(nodes.length);
  return nodes.map(({ name }) => name);
}

describe("listUsers", () => {
  it("pages through members, newest first, with their exact number", async () => {
    const ids = await people("A", "B", "C", "D", "E");
    const first = await listUsers(ctx, { first: 2 });
    expect(first).toMatchObject({ total: 5, hasNextPage: true, hasPreviousPage: false });
    const cursor = first.nodes.at(-1);
    if (cursor === undefined) throw new Error("an empty page");
    const rest = await listUsers(ctx, { first: 10, after: positionCursor(cursor) });
    expect([...first.nodes, ...rest.nodes].map(({ id }) => id)).toEqual(ids.toReversed());
    const back = await listUsers(ctx, { last: 2 });
    expect(back.nodes.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  });

  it("returns no secrets and no deleted users", async () => {
    const [gone = "", stays = ""] = await people("Gone", "Stays");
    await setPassword(stays);
    await deleteUser(ctx, gone);
    const { nodes, total } = await listUsers(ctx, {});
    expect(total).toBe(1);
    expect(nodes.map(({ id }) => id)).toEqual([stays]);
    expect(Object.keys(nodes[0] ?? {})).not.toContain("hashedPassword");
    expect(JSON.stringify(nodes, (_key, value) => String(value))).not.toContain('"x"');
    expect(await getErrorCode(readUser(ctx, gone))).toBe("not_found");
  });

  it("finds parts of names, addresses and usernames in any case, without wildcards", async () => {
    const [ada = ""] = await people("Ada Lovelace", "Grace Hopper", "100%_\\ Sure");
    await ctx.db.user.updateMany({ where: { id: ada }, data: { userName: "countess" } });
    expect(await namesBy({ query: " LOVE " })).toEqual(["Ada Lovelace"]);
    expect(await namesBy({ query: "grace.hopper@" })).toEqual(["Grace Hopper"]);
    expect(await namesBy({ query: "Countess" })).toEqual(["Ada Lovelace"]);
    expect(await namesBy({ query: "%" })).toEqual(["100%_\\ Sure"]);
    expect(await namesBy({ query: "_\\" })).toEqual(["100%_\\ Sure"]);
    expect(await namesBy({ query: "a_a" })).toEqual([]);
    expect(await namesBy({ query: "   " })).toHaveLength(3);
  });

  it("counts up to 10,000 matches exactly, and returns null above", async () => {
    const total = async () => (await listUsers(ctx, { first: 1 }, { query: "crowd" })).total;
    const insert = (from: number, to: number) =>
      server.database.query(
        `INSERT INTO "user" (workspace_id, id, name, role) SELECT $1::uuid, gen_random_uuid(), 'Crowd ' || n, 'viewer'
         FROM generate_series($2::int, $3::int) n`,
        [ctx.workspaceId, from, to],
      );
    await insert(1, 10_000);
    expect(await total()).toBe(10_000);
    await insert(10_001, 10_001);
    expect(await total()).toBeNull();
  });

  it("filters by status and role", async () => {
    const [active = "", suspended = ""] = await people("Active", "Suspended", "Invited");
    await setPassword(active);
    await setPassword(suspended);
    await deactivateUser(ctx, suspended);
    await inviteUser(ctx, { email: "o@example.com", name: "Owner", role: "owner" });
    expect(await namesBy({ status: "active" })).toEqual(["Active"]);
    expect(await namesBy({ status: "suspended" })).toEqual(["Suspended"]);
    expect(await namesBy({ status: "invited" })).toEqual(["Owner", "Invited"]);
    expect(await namesBy({ role: "owner" })).toEqual(["Owner"]);
    expect(await namesBy({ role: "viewer", status: "invited", query: "inv" })).toEqual(["Invited"]);
  });

  it("changes its version with every visible change of a member", async () => {
    const [person = ""] = await people("Somebody");
    const before = (await listUsers(ctx, {})).version;
    await deactivateUser(ctx, person);
    expect((await listUsers(ctx, {})).version).toBeGreaterThan(before);
  });

  it("allows all users of the workspace, and nobody else", async () => {
    await people("Somebody");
    for (const role of ["owner", "admin", "operator", "viewer"] as const) {
      const { total } = await listUsers(userCtx(server, ctx.workspaceId, role), {});
      expect(total).toBe(1);
    }
    const { workspaceId } = await server.createWorkspace();
    expect((await listUsers(userCtx(server, workspaceId, "owner"), {})).total).toBe(0);
    const scim: Ctx = { ...ctx, actor: { type: "scim", id: crypto.randomUUID(), name: "IdP" } };
    expect(await getErrorCode(listUsers(scim, {}))).toBe("forbidden");
  });

  it("rejects a page or a search out of range", async () => {
    expect(await getErrorCode(listUsers(ctx, { first: 101 }))).toBe("validation_failed");
    expect(await getErrorCode(listUsers(ctx, { after: "x" }))).toBe("validation_failed");
    expect(await getErrorCode(listUsers(ctx, {}, { query: "x".repeat(101) }))).toBe("validation_failed");
    expect(await getErrorCode(listUsers(ctx, {}, { query: "\0" }))).toBe("validation_failed");
  });
});
