import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createUser } from "../../../src/auth/users/create-user.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const PASSWORD = "a long enough password";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

type Input = Parameters<typeof createUser>[2];

function create(input: Partial<Input> = {}, by = ctx): Promise<string> {
  const defaults: Input = { email: "ada@example.com", password: PASSWORD, role: "viewer" };
  return createUser(by, server.services.passwords, { ...defaults, ...input });
}

describe("createUser", () => {
  it("stores a user with a password hash, and writes an event", async () => {
    const id = await create({ name: "Ada", role: "operator", confirmed: true });
    const user = await ctx.db.user.findFirstOrThrow({ where: { id } });
    expect(user).toMatchObject({
      email: "ada@example.com",
      name: "Ada",
      role: "operator",
      suspendedAt: null,
    });
    expect(user.confirmedAt).toBeInstanceOf(Date);
    const { passwords } = server.services;
    expect(await passwords.verify(user.hashedPassword ?? "", PASSWORD)).toBe(true);
    const rows = await server.database.query<{ type: string; data: object }>(
      "SELECT type, data FROM event WHERE workspace_id = $1 AND subject_id = $2",
      [ctx.workspaceId, id],
    );
    expect(rows).toEqual([{ type: "user.created", data: { generation: 1, role: "operator" } }]);
    const [audited] = await server.database.query<{ changes: object }>(
      "SELECT changes FROM audit_event WHERE workspace_id = $1 AND target_id = $2",
      [ctx.workspaceId, id],
    );
    expect(audited?.changes).toEqual({ role: "operator", confirmed: true });
  });

  it("rejects an address that another user of the workspace has, in any case", async () => {
    await create();
    expect(await getErrorCode(create({ email: "ADA@Example.com" }))).toBe("validation_failed");
    const elsewhere = server.systemCtx((await server.createWorkspace()).workspaceId);
    expect(await getErrorCode(create({}, elsewhere))).toBe("");
  });

  it("creates one of eight concurrent users of an address, with one event", async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => getErrorCode(create())));
    expect(codes.toSorted()).toEqual(["", ...Array.from({ length: 7 }, () => "validation_failed")]);
    const events = await server.database.query(
      "SELECT 1 FROM event WHERE workspace_id = $1 AND type = 'user.created'",
      [ctx.workspaceId],
    );
    expect(events).toHaveLength(1);
  });

  it.each<[string, Partial<Input>]>([
    ["a short password", { password: "x".repeat(11) }],
    ["a long password", { password: "x".repeat(129) }],
    ["a password with NUL", { password: "x".repeat(12) + "\0" }],
    ["a password that is short once composed", { password: "e\u0301".repeat(11) }],
    ["a common password", { password: "P@ssword2026!" }],
    ["an invalid address", { email: "" }],
    ["an address without a host", { email: "ada@" }],
    ["an address with a space", { email: "a da@example.com" }],
    ["two addresses", { email: "ada@example.com,eve@example.com" }],
    ["an address of 161 characters", { email: `${"a".repeat(149)}@example.com` }],
    ["an empty name", { name: "" }],
  ])("rejects %s", async (_what, input) => {
    expect(await getErrorCode(create(input))).toBe("validation_failed");
    expect(await ctx.db.user.count()).toBe(0);
  });

  it("counts a password in code points", async () => {
    const emoji = (count: number) =>
      Array.from({ length: count }, (_, n) => String.fromCodePoint(0x1_f400 + n)).join("");
    expect(await getErrorCode(create({ password: emoji(12) }))).toBe("");
    expect(await getErrorCode(create({ email: "eve@example.com", password: emoji(128) }))).toBe("");
  });

  it("lets admins create all but owners, owners all, and others nobody", async () => {
    const by = (role: "owner" | "admin" | "operator" | "viewer") => userCtx(server, ctx.workspaceId, role);
    expect(await getErrorCode(create({ email: "1@example.com", role: "owner" }, by("owner")))).toBe("");
    expect(await getErrorCode(create({ email: "2@example.com", role: "admin" }, by("admin")))).toBe("");
    expect(await getErrorCode(create({ email: "3@example.com", role: "owner" }, by("admin")))).toBe(
      "forbidden",
    );
    for (const role of ["operator", "viewer"] as const) {
      expect(await getErrorCode(create({ email: "4@example.com" }, by(role)))).toBe("forbidden");
    }
  });
});
