import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDirectoryGroup } from "../../../src/domain/directory/create-directory-group.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

async function group(displayName: string, memberId: string): Promise<string> {
  const attributes = { displayName, members: [{ value: memberId }] };
  return (await createDirectoryGroup(world.ctx, { attributes })).id;
}

async function readRole(userId: string): Promise<string | undefined> {
  const [row] = await world.server.database.query<{ role: string }>(`SELECT role FROM "user" WHERE id = $1`, [
    userId,
  ]);
  return row?.role;
}

describe("/settings/groups", () => {
  it("says what to do if there are no groups", async () => {
    const admin = await world.enter("admin");
    expect((await admin.get("/settings/groups")).text).toContain("No group");
  });

  it("maps a group to a role and removes it again", async () => {
    const member = await world.person("viewer");
    const id = await group("<Operators & friends>", member.id);
    const admin = await world.enter("admin");
    const done = await admin.submit("/settings/groups", { id, role: "OPERATOR" });
    expect(done).toMatchObject({ status: 303, location: "/settings/groups?notice=mapped" });
    expect(await readRole(member.id)).toBe("operator");
    const page = await admin.get("/settings/groups");
    expect(page.text).toContain("&lt;Operators &amp; friends&gt;");
    expect(page.text).toMatch(/<option value="OPERATOR" selected/);
    await admin.submit("/settings/groups", { id, role: "" });
    expect(await readRole(member.id)).toBe("viewer");
  });

  it.each(["OWNER", "owner", "KING"])("rejects the role %s", async (role) => {
    const member = await world.person("viewer");
    const id = await group(`Group of ${role}`, member.id);
    const admin = await world.enter("admin");
    expect((await admin.submit("/settings/groups", { id, role })).status).toBe(422);
    expect(await readRole(member.id)).toBe("viewer");
  });

  it("requires the password again after 20 minutes, and an admin", async () => {
    const admin = await world.enter("admin");
    await world.endSudo(admin.person);
    const id = await group("Late", admin.person.id);
    expect((await admin.get("/settings/groups")).text).not.toContain(`id="role-${id}"`);
    expect((await admin.submit("/settings/groups", { id, role: "VIEWER" })).status).toBe(403);
    const operator = await world.enter("operator");
    expect((await operator.get("/settings/groups")).status).toBe(403);
    expect((await operator.submit("/settings/groups", { id, role: "ADMIN" })).status).toBe(403);
  });

  it("finds no group of another workspace", async () => {
    const other = await world.another();
    const attributes = { displayName: "Theirs" };
    const { id } = await createDirectoryGroup(other.ctx, { attributes });
    const admin = await world.enter("admin");
    expect((await admin.submit("/settings/groups", { id, role: "VIEWER" })).status).toBe(404);
    expect((await admin.get("/settings/groups")).text).not.toContain("Theirs");
  });
});
