import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { UserTokenContext } from "../../../src/db/generated/enums.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { deleteUser } from "../../../src/domain/users/delete-user.ts";
import { askWhoAmI, buildCookie, createPerson, logInAs, beginTestSession } from "../../support/people.ts";
import {
  type Idp,
  type ScimWorld,
  URN,
  createScimWorld,
  patchBody,
  userBody,
  word,
} from "../../support/scim-world.ts";
import { getUserId } from "../../support/session-world.ts";
import { personSocket } from "../../support/socket-client.ts";
import { UNSENT } from "../../support/unsent.ts";

let world: ScimWorld;
let idp: Idp;
let ctx: Ctx;
let workspaceId: string;

beforeAll(async () => {
  world = await createScimWorld(UNSENT);
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

async function giveTokens(userId: string): Promise<void> {
  for (const context of Object.values(UserTokenContext)) {
    const session = context === "session" && { familyId: crypto.randomUUID(), authenticatedAt: new Date() };
    await ctx.db.userToken.create({
      data: {
        ...{ workspaceId, userId, context, id: crypto.randomUUID(), authEpoch: 0 },
        tokenDigest: new Uint8Array(randomBytes(32)),
        ...session,
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    });
  }
}

async function readContexts(userId: string): Promise<string[]> {
  const tokens = await ctx.db.userToken.findMany({ where: { userId } });
  return tokens.map(({ context }) => context).toSorted();
}

const deactivate = patchBody({ op: "replace", value: { active: false } });

describe("leaving the company (27, 28)", () => {
  it.each<[string, (id: string) => Promise<{ status: number }>]>([
    ["PATCH", (id) => idp.patch(`/Users/${id}`, deactivate)],
    [
      "PUT",
      async (id) => idp.put(`/Users/${id}`, { ...(await idp.get(`/Users/${id}`)).body, active: "False" }),
    ],
    ["DELETE", (id) => idp.delete(`/Users/${id}`)],
  ])("ends every session, link and invitation by %s on every node", async (method, leave) => {
    const [leaver, other] = [await create(), await create()];
    await giveTokens(leaver.id);
    await giveTokens(other.id);
    expect((await leave(leaver.id)).status).toBeLessThan(300);
    expect(await readContexts(leaver.id)).toEqual([]);
    expect(await readContexts(other.id)).toHaveLength(4);
    const row = await readUserRow(leaver.id);
    expect(row.suspendedAt).toBeInstanceOf(Date);
    expect(row.authEpoch).toBe(1);
    const type = method === "DELETE" ? "user.deleted" : "user.suspended";
    expect(await world.readNames("event", leaver.id)).toEqual(["user.created", type]);
    expect(await world.readNames("audit_event", leaver.id)).toEqual(["user.created", type]);
    const revocations = await world.server.database.query(
      "SELECT 1 FROM revocation WHERE kind = 'user' AND subject_id = $1",
      [leaver.id],
    );
    expect(revocations).toHaveLength(1);
  });

  it.each<[string, (id: string) => Promise<{ status: number }>]>([
    [
      "False by PATCH",
      (id) => idp.patch(`/Users/${id}`, patchBody({ op: "Replace", path: "active", value: "False" })),
    ],
    ["DELETE", (id) => idp.delete(`/Users/${id}`)],
  ])("disconnects a user who is online, by %s", async (_how, leave) => {
    const person = await createPerson(world.server, workspaceId);
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const socket = await personSocket(world.server.url, cookie);
    expect(getUserId(await askWhoAmI(world.server, cookie))).toBe(person.id);
    expect((await leave(person.id)).status).toBeLessThan(300);
    expect((await socket.closed).code).toBe(4401);
    expect(getUserId(await askWhoAmI(world.server, cookie))).toBeUndefined();
    expect(await logInAs(world.server, person)).toBeNull();
  });

  it("keeps only the row of a deleted user", async () => {
    const made = await create({
      externalId: "x",
      title: "Boss",
      displayName: "Ada",
      emails: [{ value: `${word()}@x.example`, primary: true }],
    });
    await idp.delete(`/Users/${made.id}`);
    expect(await readUserRow(made.id)).toMatchObject({
      email: null,
      userName: null,
      externalId: null,
      profile: {},
      deletedAt: expect.any(Date),
    });
    expect(await ctx.db.userEmail.count({ where: { userId: made.id } })).toBe(0);
  });

  it("lets a returning user log in again", async () => {
    const { id } = await create({ active: false });
    expect((await readUserRow(id)).suspendedAt).toBeInstanceOf(Date);
    const back = await idp.patch(`/Users/${id}`, patchBody({ op: "replace", path: "active", value: true }));
    expect(back.body.active).toBe(true);
    expect((await readUserRow(id)).suspendedAt).toBeNull();
    expect(await world.readNames("event", id)).toEqual(["user.created", "user.unsuspended"]);
  });

  it("is one transaction with the other changes of a patch", async () => {
    const { id } = await create();
    await giveTokens(id);
    const { status } = await idp.patch(
      `/Users/${id}`,
      patchBody({ op: "replace", path: "active", value: false }, { op: "replace", path: "title", value: 5 }),
    );
    expect(status).toBe(400);
    expect(await readContexts(id)).toHaveLength(4);
    const both = await idp.patch(
      `/Users/${id}`,
      patchBody({ op: "replace", value: { active: false, title: "x" } }),
    );
    expect(both.body).toMatchObject({ active: false, title: "x" });
    expect(await world.readNames("event", id)).toEqual(["user.created", "user.updated", "user.suspended"]);
  });

  it("is rejected for the last owner with the reason", async () => {
    const owner = crypto.randomUUID();
    await ctx.db.user.create({
      data: { workspaceId, id: owner, email: `${word()}@x.example`, role: "owner" },
    });
    const read = (await idp.get(`/Users/${owner}`)).body;
    for (const answer of [
      await idp.patch(`/Users/${owner}`, deactivate),
      await idp.put(`/Users/${owner}`, { ...read, active: false }),
      await idp.delete(`/Users/${owner}`),
    ]) {
      expect({ status: answer.status, detail: answer.body.detail }).toEqual({
        status: 400,
        detail: expect.stringContaining("owner"),
      });
    }
    expect((await idp.get(`/Users/${owner}`)).body).toMatchObject({ active: true });
    const another = { workspaceId, id: crypto.randomUUID(), role: "owner", hashedPassword: "x" } as const;
    await ctx.db.user.create({ data: another });
    expect((await idp.patch(`/Users/${owner}`, deactivate)).status).toBe(200);
  });
});

describe("the log-in address", () => {
  it.each<[string, Record<string, unknown>, string | null]>([
    [
      "is the primary email",
      {
        userName: "u1@x.example",
        emails: [{ value: "first@x.example" }, { value: "main@x.example", primary: true }],
      },
      "main@x.example",
    ],
    [
      "else the userName, if it is an email address",
      { userName: "u2@x.example", emails: [{ value: "other@x.example" }] },
      "u2@x.example",
    ],
    [
      "else the first email",
      { userName: "u3", emails: [{ value: "only@x.example", type: "work" }] },
      "only@x.example",
    ],
    ["else none", { userName: "u4" }, null],
    [
      "is never an invalid address",
      { userName: "u5", emails: [{ value: "not an address", primary: true }] },
      null,
    ],
  ])("%s", async (_what, fields, email) => {
    const { id } = await create(fields);
    expect((await readUserRow(id)).email).toBe(email);
  });

  it("ends all links but no session when it changes", async () => {
    const { id } = await create({ emails: [{ value: `${word()}@x.example`, primary: true }] });
    await giveTokens(id);
    await idp.patch(`/Users/${id}`, patchBody({ op: "replace", path: "title", value: "x" }));
    expect(await readContexts(id)).toHaveLength(4);
    const next = `${word()}@x.example`;
    await idp.patch(
      `/Users/${id}`,
      patchBody({ op: "replace", path: "emails[primary eq true].value", value: next }),
    );
    expect((await readUserRow(id)).email).toBe(next);
    expect(await readContexts(id)).toEqual(["session"]);
  });

  it("stays as chosen by the user until the identity provider changes its own value", async () => {
    const { id } = await create({ emails: [{ value: `${word()}@x.example`, primary: true }] });
    const chosen = `${word()}@own.example`;
    await world.server.database.query('UPDATE "user" SET email = $2 WHERE id = $1', [id, chosen]);
    await idp.patch(`/Users/${id}`, patchBody({ op: "replace", path: "title", value: "x" }));
    expect((await readUserRow(id)).email).toBe(chosen);
  });
});

describe("an owner", () => {
  it("keeps the log-in address, whatever the identity provider sends", async () => {
    const { id } = await create();
    await ctx.db.user.update({ where: { workspaceId_id: { workspaceId, id } }, data: { role: "owner" } });
    const { email } = await readUserRow(id);
    const stolen = { op: "replace", value: { emails: [{ value: "thief@example.com", primary: true }] } };
    const { status, body } = await idp.patch(`/Users/${id}`, patchBody(stolen));
    expect(status).toBe(200);
    expect(body.emails).toMatchObject([{ value: "thief@example.com" }]);
    expect((await readUserRow(id)).email).toBe(email);
  });
});

describe("a changed address", () => {
  it("is reported to the old address", async () => {
    const { id } = await create();
    const { email } = await readUserRow(id);
    const moved = { op: "replace", value: { emails: [{ value: `new-${email}`, primary: true }] } };
    await idp.patch(`/Users/${id}`, patchBody(moved));
    expect((await readUserRow(id)).email).toBe(`new-${email}`);
    const outbox = await world.server.database.query(
      "SELECT kind::text, sent_to FROM mail_outbox WHERE user_id = $1",
      [id],
    );
    expect(outbox).toEqual([{ kind: "email_changed", sent_to: email }]);
  });
});

describe("a member whom an admin deletes", () => {
  it("leaves the identity provider's groups and loses the profile", async () => {
    const { id } = await create();
    const group = await idp.post("/Groups", {
      schemas: [URN.group],
      displayName: "Crew",
      members: [{ value: id }],
    });
    await deleteUser(ctx, id);
    const { body, headers } = await idp.get(`/Groups/${group.body.id}`);
    expect(body.members ?? []).toEqual([]);
    expect(headers.get("etag")).not.toBe(group.headers.get("etag"));
    expect(await ctx.db.userEmail.count({ where: { userId: id } })).toBe(0);
    expect(await readUserRow(id)).toMatchObject({ profile: {}, externalId: null, email: null });
  });
});
