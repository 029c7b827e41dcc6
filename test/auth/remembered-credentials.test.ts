import { beforeEach, describe, expect, it } from "vitest";
import { type Credential, rememberCredentials } from "../../src/auth/remembered-credentials.ts";
import type { Revocation } from "../../src/domain/kernel/revocation.ts";

/** A clock that changes only between the steps of a test. */
let nowMs: number;
const clock = { now: () => nowMs };

beforeEach(() => {
  nowMs = 1;
});

const IDS = { workspace: "w", agent: "a", api_key: "k", agent_token: "t" } as const;

function credential(remainingMs: number | null = null, changed: Partial<Credential> = {}): Credential {
  return {
    actor: {
      type: "agent",
      id: IDS.agent,
      name: "An agent",
      scopes: new Set(),
      credential: {
        kind: "agent_token",
        id: IDS.agent_token,
        parent: { kind: "api_key", id: IDS.api_key },
        lineageId: IDS.api_key,
        expiresAt: null,
      },
    },
    workspaceId: IDS.workspace,
    workspaceSuspended: false,
    ipAllowlist: [],
    remainingMs,
    ...changed,
  };
}

function revocation(kind: Revocation["kind"], subjectId: string): Revocation {
  return { kind, subjectId, reason: "test" };
}

describe("rememberCredentials", () => {
  it("remembers a credential for five seconds", () => {
    const remembered = rememberCredentials(clock);
    const known = credential();
    remembered.learn()("digest", known);
    nowMs += 4990;
    expect(remembered.recall("digest")).toBe(known);
    nowMs += 20;
    expect(remembered.recall("digest")).toBeUndefined();
  });

  it("remembers no credential past its own expiry", () => {
    const remembered = rememberCredentials(clock);
    remembered.learn()("digest", credential(800));
    nowMs += 790;
    expect(remembered.recall("digest")).toBeDefined();
    nowMs += 20;
    expect(remembered.recall("digest")).toBeUndefined();
  });

  it.each([0, 0.4, 0.99, -1])("does not remember one with %d ms left", (remainingMs) => {
    const remembered = rememberCredentials(clock);
    remembered.learn()("digest", credential(remainingMs));
    expect(remembered.recall("digest")).toBeUndefined();
  });

  it.each(["workspace", "agent", "api_key", "agent_token"] as const)(
    "forgets at once what depends on a revoked %s",
    (kind) => {
      const remembered = rememberCredentials(clock);
      remembered.learn()("digest", credential());
      remembered.forget([revocation(kind, "another")]);
      expect(remembered.recall("digest")).toBeDefined();
      remembered.forget([revocation("user", "u"), revocation(kind, IDS[kind])]);
      expect(remembered.recall("digest")).toBeUndefined();
    },
  );

  it("does not remember what was read during a revocation", () => {
    const remembered = rememberCredentials(clock);
    const remember = remembered.learn();
    remembered.forget([revocation("agent_token", IDS.agent_token)]);
    remember("digest", credential());
    expect(remembered.recall("digest")).toBeUndefined();
    remembered.learn()("digest", credential());
    expect(remembered.recall("digest")).toBeDefined();
  });

  it("remembers nothing without news of revocations", () => {
    const remembered = rememberCredentials(clock);
    remembered.learn()("digest", credential());
    remembered.trust(true);
    expect(remembered.recall("digest")).toBeDefined();
    remembered.trust(false);
    expect(remembered.recall("digest")).toBeUndefined();
    remembered.learn()("digest", credential());
    expect(remembered.recall("digest")).toBeUndefined();
    remembered.trust(true);
    remembered.learn()("digest", credential());
    expect(remembered.recall("digest")).toBeDefined();
  });

  it("does not remember what was read before the news stopped and came back", () => {
    const remembered = rememberCredentials(clock);
    const remember = remembered.learn();
    remembered.trust(false);
    remembered.trust(true);
    remember("digest", credential());
    expect(remembered.recall("digest")).toBeUndefined();
  });
});
