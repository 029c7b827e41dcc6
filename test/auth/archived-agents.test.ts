import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAgentToken } from "../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import type { ApiKey } from "../../src/db/generated/client.ts";
import { archiveAgent } from "../../src/domain/agents/archive-agent.ts";
import { createAgent } from "../../src/domain/agents/create-agent.ts";
import { setAgentControlState } from "../../src/domain/agents/set-agent-control-state.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { getErrorCode, getErrorDetails, keyCtx } from "../support/callers.ts";
import { type HeldLock, holdLock } from "../support/locked-table.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const HANDLE = "packer";
const END_MS = Date.UTC(2100, 0);

let server: TestServer;
let ctx: Ctx;
/** The agent that is archived. */
let agentId: string;
/** Of another agent, with the right to mint for any. */
let otherKey: ApiKey;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  agentId = (await createAgent(ctx, { handle: HANDLE, name: "Packer", kind: "software" })).id;
  ({ apiKey: otherKey } = await createApiKey(ctx, { name: "Other", scopes: ["agents:write", "tasks:read"] }));
});

/** A context at a time, in seconds after {@link END_MS}. */
function at(seconds: number): Ctx {
  return openCtx(server.services, ctx, new Date(END_MS + 1000 * seconds));
}

const MINTS = {
  createApiKey: () => createApiKey(ctx, { name: "A key", scopes: ["tasks:read"], agentHandle: HANDLE }),
  createAgentToken: () => createAgentToken(keyCtx(server, ctx, otherKey), { agent: { handle: HANDLE } }),
};
const NAMES = ["createApiKey", "createAgentToken"] as const;

/** Lets two writes overlap: the second starts while the first waits for the lock. */
async function overlap(
  held: HeldLock,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<string[]> {
  const writes = [getErrorCode(first())];
  try {
    await held.waiters(1);
    writes.push(getErrorCode(second()));
    await held.waiters(2);
  } finally {
    await held.release();
  }
  return Promise.all(writes);
}

/** Whether the agent is archived, and how many of its keys and tokens are not revoked. */
async function readAgent(): Promise<{ isArchived: boolean; credentials: number }> {
  const { archivedAt } = await ctx.db.agent.findFirstOrThrow({ where: { id: agentId } });
  const where = { agentId, revokedAt: null };
  const credentials = (await ctx.db.apiKey.count({ where })) + (await ctx.db.agentToken.count({ where }));
  return { isArchived: archivedAt !== null, credentials };
}

/** Writes that append an event wait for this before they commit. */
function holdHead(): Promise<HeldLock> {
  const statement = "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE";
  return holdLock(server.database, statement, [ctx.workspaceId]);
}

/** The agent's archiving waits for this when it has found no valid key. */
async function holdToken(): Promise<HeldLock> {
  const { agentToken } = await MINTS.createAgentToken();
  return holdLock(server.database, "SELECT 1 FROM agent_token WHERE id = $1 FOR UPDATE", [agentToken.id]);
}

describe("an archived agent", () => {
  it.each([
    ["createApiKey", "agentHandle"],
    ["createAgentToken", "agent.handle"],
  ] as const)("gets no credential from %s", async (name, field) => {
    await archiveAgent(ctx, agentId);
    const rejected = MINTS[name]();
    expect(await getErrorDetails(rejected)).toEqual({
      field,
      errors: [{ field, detail: "is the handle of an archived agent" }],
    });
    expect(await getErrorCode(rejected)).toBe("validation_failed");
  });

  it.each(NAMES)("has no credential of a %s that began before", async (name) => {
    const [minted, archived] = await overlap(await holdHead(), MINTS[name], () => archiveAgent(ctx, agentId));
    expect([minted, archived]).toEqual(["", name === "createApiKey" ? "invalid_state" : ""]);
    expect(await readAgent()).toEqual(
      name === "createApiKey" ? { isArchived: false, credentials: 1 } : { isArchived: true, credentials: 0 },
    );
  });

  it.each(NAMES)("has no credential of a %s that began meanwhile", async (name) => {
    const [archived, minted] = await overlap(
      await holdToken(),
      () => archiveAgent(ctx, agentId),
      MINTS[name],
    );
    expect([archived, minted]).toEqual(["", "validation_failed"]);
    expect(await readAgent()).toEqual({ isArchived: true, credentials: 0 });
  });
});

it.each(NAMES)("%s waits behind a stop of its agent", async (name) => {
  const held = await holdLock(server.database, "SELECT 1 FROM agent WHERE id = $1 FOR SHARE", [agentId]);
  const stop = () => setAgentControlState(ctx, { id: agentId, controlState: "stopped" });
  expect(await overlap(held, stop, MINTS[name])).toEqual(["", ""]);
});

describe("a rotation of a key that expires", () => {
  /** The key is valid for the rotation, which creates one that expires later, and no longer for the archiving. */
  async function createExpiringKey() {
    const { apiKey } = await createApiKey(at(-2), {
      ...{ name: "A key", scopes: ["tasks:read"], agentHandle: HANDLE },
      expiresAt: new Date(END_MS),
    });
    return {
      rotate: () => rotateApiKey(at(-1), apiKey.id, { expiresAt: new Date(END_MS + 60_000) }),
      archive: () => archiveAgent(at(1), agentId),
    };
  }

  it("keeps its agent from being archived", async () => {
    const { rotate, archive } = await createExpiringKey();
    expect(await overlap(await holdHead(), rotate, archive)).toEqual(["", "invalid_state"]);
    expect((await readAgent()).isArchived).toBe(false);
  });

  it("creates no key while its agent is archived", async () => {
    const { rotate, archive } = await createExpiringKey();
    expect(await overlap(await holdToken(), archive, rotate)).toEqual(["", "invalid_state"]);
    // The key that has expired is not revoked.
    expect(await readAgent()).toEqual({ isArchived: true, credentials: 1 });
  });
});
