import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Actor, createActorRecord, credentialId } from "../../../src/domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import {
  requireAgent,
  requireApiKey,
  requireRank,
  requireRole,
  requireScope,
  requireSudo,
  requireUser,
} from "../../../src/domain/kernel/guard.ts";
import { hasScope } from "../../../src/domain/kernel/has-scope.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

const person = (role: Role, session: { isSudo: boolean } | null = { isSudo: true }) =>
  ({
    ...{ type: "user", id: role, name: role, role },
    session: session && { id: "s", familyId: "f", ...session },
  }) as Actor;
const bearer = (kind: "api_key" | "agent_token"): Actor => {
  const credential = {
    kind,
    id: kind,
    parent: { kind: "api_key" as const, id: "k" },
    lineageId: "k",
    expiresAt: null,
  };
  return { type: "agent", id: "a", name: "agent", scopes: new Set(["tasks:read"]), credential };
};

const ACTORS = {
  system: { type: "system", name: "system" },
  owner: person("owner"),
  admin: person("admin"),
  operator: person("operator"),
  viewer: person("viewer"),
  "owner without sudo": person("owner", { isSudo: false }),
  "owner without session": person("owner", null),
  scim: { type: "scim", id: "scim", name: "scim" },
  key: bearer("api_key"),
  token: bearer("agent_token"),
} satisfies Record<string, Actor>;

type Name = keyof typeof ACTORS;

const OWNERS: Name[] = ["owner", "owner without sudo", "owner without session"];
const AGENTS: Name[] = ["key", "token"];
const ADMINS: Name[] = [...OWNERS, "admin"];
const PEOPLE: Name[] = [...ADMINS, "operator", "viewer"];

const ADMIN_ONLY = "Only people with the role admin or above can do this.";
const SUDO = "Enter your password again to do this.";
const SCOPE = "This requires the scope agents:write.";

/** A guard, the callers whom it allows, and the error of all others, or of some. */
type Case = {
  guard: (ctx: Ctx) => unknown;
  allowed: Name[];
  error: string;
  errors?: Partial<Record<Name, string>>;
};

const CASES: Record<string, Case> = {
  "a scope of viewers": {
    guard: (ctx) => requireScope(ctx, "tasks:read"),
    allowed: ["system", ...PEOPLE, ...AGENTS],
    error: "forbidden A SCIM token can't do this.",
  },
  "a scope of admins": {
    guard: (ctx) => requireScope(ctx, "agents:write"),
    allowed: ["system", ...ADMINS],
    error: "forbidden Your role does not allow this.",
    errors: {
      scim: "forbidden A SCIM token can't do this.",
      key: `insufficient_scope ${SCOPE}`,
      token: `insufficient_scope ${SCOPE}`,
    },
  },
  "a role": {
    guard: (ctx) => requireRole(ctx, "admin"),
    allowed: ["system", ...ADMINS],
    error: `forbidden ${ADMIN_ONLY}`,
  },
  "a rank": {
    guard: (ctx) => requireRank(ctx, "admin"),
    allowed: ["system", "scim", ...ADMINS, ...AGENTS],
    error: `forbidden ${ADMIN_ONLY}`,
  },
  "a person": {
    guard: requireUser,
    allowed: PEOPLE.filter((name) => name !== "owner without session"),
    error: "forbidden Only people can do this. Log in first.",
  },
  "an agent": { guard: requireAgent, allowed: AGENTS, error: "forbidden Only an agent can do this." },
  sudo: {
    guard: (ctx) => requireSudo(ctx, "admin"),
    allowed: ["system", "owner", "admin"],
    error: `forbidden ${ADMIN_ONLY}`,
    errors: {
      "owner without sudo": `sudo_required ${SUDO}`,
      "owner without session": `sudo_required ${SUDO}`,
    },
  },
  "an API key": {
    guard: requireApiKey,
    allowed: ["key"],
    error: "api_key_required Only an API key can mint access tokens.",
  },
};

/** The code and message of a guard's error, or "" if it lets the caller pass. */
function getError(guard: Case["guard"], ctx: Ctx): string {
  try {
    guard(ctx);
    return "";
  } catch (error) {
    if (error instanceof DomainError) return `${error.code} ${error.message}`;
    throw error;
  }
}

describe.each(Object.entries(CASES))("what requires %s", (_what, { guard, allowed, error, errors = {} }) => {
  it.each(Object.entries(ACTORS) as [Name, Actor][])("judges %s", (name, actor) => {
    const ctx = openCtx(quiet.services, { ...quiet.systemCtx(crypto.randomUUID()), actor });
    expect(getError(guard, ctx)).toBe(allowed.includes(name) ? "" : (errors[name] ?? error));
  });
});

describe("hasScope", () => {
  it.each<[Name, boolean, boolean]>([
    ["system", true, true],
    ["owner", true, false],
    ["viewer", true, false],
    ["scim", false, false],
    ["key", true, false],
  ])("of %s is %s to read tasks, and %s to work on them", (name, reads, works) => {
    const ctx = openCtx(quiet.services, { ...quiet.systemCtx(crypto.randomUUID()), actor: ACTORS[name] });
    expect([hasScope(ctx, "tasks:read"), hasScope(ctx, "tasks:work")]).toEqual([reads, works]);
  });
});

describe("an actor's record and counted id", () => {
  it.each<[Name, string | null, string | null]>([
    ["system", null, null],
    ["owner", "owner", "owner"],
    ["scim", "scim", "scim"],
    ["token", "a", "agent_token"],
  ])("of %s have the ids %s and %s", (name, id, counted) => {
    const actor = ACTORS[name];
    expect(createActorRecord(actor)).toEqual({ type: actor.type, id, name: actor.name });
    expect(credentialId(actor)).toBe(counted);
  });
});
