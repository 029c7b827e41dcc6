import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "../../../src/domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { claimIdempotencyKey } from "../../../src/domain/kernel/idempotency.ts";
import { getErrorCode } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const START = new Date("2100-01-01T00:00:00.000Z");
const DAY_MS = 86_400_000;

let quiet: QuietServices;
let workspaceId: string;

beforeAll(async () => {
  quiet = await openQuietServices();
  ({ workspaceId } = await quiet.createWorkspace());
});

afterAll(() => quiet.close());

const newId = () => crypto.randomUUID();

function agent(id = newId(), lineageId = newId()): Actor {
  const credential = {
    kind: "agent_token",
    id: newId(),
    parent: { kind: "api_key", id: newId() },
    lineageId,
    expiresAt: null,
  } as const;
  return { type: "agent", id, name: "An agent", scopes: new Set(), credential };
}

const user = (): Actor => ({ type: "user", id: newId(), name: "Ada", role: "operator", session: null });
const scim = (): Actor => ({ type: "scim", id: newId(), name: "SCIM" });

type Sent = { key: string; request?: string; afterMs?: number; workspace?: string };

function caller(actor: Actor, { key, request = "a", afterMs = 0, workspace = workspaceId }: Sent): Ctx {
  const idempotency = { key, requestHash: new Uint8Array(createHash("sha256").update(request).digest()) };
  const ctx = { ...quiet.systemCtx(workspace), actor, idempotency };
  return openCtx(quiet.services, ctx, new Date(START.getTime() + afterMs));
}

/** Claims a key for a new subject. @returns an earlier request's subject, or null for the first. */
function claim(actor: Actor, sent: Sent, subjectId = newId()): Promise<string | null> {
  return caller(actor, sent).transaction((tx) => claimIdempotencyKey(tx, subjectId));
}

describe("claimIdempotencyKey", () => {
  it.each([
    ["an agent", agent],
    ["a person", user],
    ["an identity provider", scim],
  ])("returns what an earlier request of %s created", async (_who, create) => {
    const [actor, key, first] = [create(), newId(), newId()];
    expect(await claim(actor, { key }, first)).toBeNull();
    expect(await claim(actor, { key })).toBe(first);
    expect(await claim(actor, { key: newId() })).toBeNull();
    expect(await claim(create(), { key })).toBeNull();
  });

  it("is per workspace", async () => {
    const [actor, key] = [user(), newId()];
    const { workspaceId: workspace } = await quiet.createWorkspace();
    expect(await claim(actor, { key })).toBeNull();
    expect(await claim(actor, { key, workspace })).toBeNull();
  });

  it("is shared by an agent's credentials of one lineage", async () => {
    const [id, lineageId, key, first] = [newId(), newId(), newId(), newId()];
    await claim(agent(id, lineageId), { key }, first);
    expect(await claim(agent(id, lineageId), { key })).toBe(first);
    expect(await claim(agent(id), { key })).toBeNull();
    expect(await claim(agent(newId(), lineageId), { key })).toBeNull();
  });

  it("does nothing for the system", async () => {
    const key = newId();
    const system: Actor = { type: "system", name: "test" };
    expect(await claim(system, { key })).toBeNull();
    expect(await claim(system, { key, request: "b" })).toBeNull();
  });

  it("rejects another request with the same key", async () => {
    const [actor, key, first] = [user(), newId(), newId()];
    await claim(actor, { key }, first);
    expect(await getErrorCode(claim(actor, { key, request: "b" }))).toBe("idempotency_mismatch");
    expect(await claim(actor, { key })).toBe(first);
  });

  it("rejects a request while the first is running", async () => {
    const [actor, key] = [user(), newId()];
    await caller(actor, { key }).transaction(async (tx) => {
      await claimIdempotencyKey(tx, newId());
      expect(await getErrorCode(claim(actor, { key }))).toBe("idempotency_conflict");
      expect(await claim(user(), { key })).toBeNull();
    });
  });

  it("lasts for 24 hours", async () => {
    const [actor, key, first, second] = [user(), newId(), newId(), newId()];
    await claim(actor, { key }, first);
    expect(await claim(actor, { key, afterMs: DAY_MS - 1 })).toBe(first);
    expect(await claim(actor, { key, request: "b", afterMs: DAY_MS }, second)).toBeNull();
    expect(await claim(actor, { key, request: "b", afterMs: 2 * DAY_MS - 1 })).toBe(second);
  });
});
