import { v7 as uuidv7 } from "uuid";
import { sql } from "../../db/sql.ts";
import type { Ctx, NewSession, Transaction } from "../../domain/kernel/context.ts";
import { openCtx, systemCaller } from "../../domain/kernel/context.ts";
import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { email, nameInEmails } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { Role } from "../../domain/kernel/scopes.ts";
import { insertUser } from "../../domain/users/insert-user.ts";
import { createSessionlessCtx } from "../create-sessionless-ctx.ts";
import { beginSession } from "../sessions/begin-session.ts";
import { catchChange } from "../sessions/catch-change.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { getDomain } from "./begin-sign-in.ts";
import { keepProviderSession } from "./provider-session.ts";
import type { OidcServices } from "./oidc-services.ts";

/** What a provider says of a person, verified. */
export type Claims = {
  sub: string;
  /** The provider's id of the session there, if it tells one. */
  sid: unknown;
  /** The ID token that tells it. */
  idToken: string;
  /** When the person authenticated there, in seconds since 1970. */
  authTime: number | undefined;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
};

type SignIn = {
  workspaceId: string;
  /** The provider's. */
  id: string;
  clientId: string;
  servesOwners: boolean;
  createsViewers: boolean;
  remembered: boolean;
  claims: Claims;
};

type Person = {
  id: string;
  workspaceId: string;
  email: string | null;
  name: string;
  role: Role;
  authEpoch: number;
  isSuspended: boolean;
  isConfirmed: boolean;
};

const DAY_MS = 86_400_000;
const SUBJECT_LENGTH = 255;

/**
 * Begins a session of the person whom a provider has authenticated. A person is found by the provider's `sub` and, at
 * the first sign-in only, by a verified address of a domain that the workspace has verified.
 *
 * @throws {DomainError} forbidden if the person may not sign in.
 */
export async function signInPerson(
  services: OidcServices,
  signIn: SignIn,
  seen: ClientInfo,
): Promise<NewSession> {
  const { sub } = signIn.claims;
  if (sub.length > SUBJECT_LENGTH || sub.includes("\0")) throw new DomainError("forbidden", NOT_KNOWN);
  const { workspaceId } = signIn;
  const caller = { ...systemCaller(workspaceId, "sign-in"), ...seen };
  const ctx = openCtx(services, caller, services.now);
  const person = await bindPerson(ctx, signIn);
  const own = createSessionlessCtx(services, person, seen);
  const entering = own.transaction((tx) => enter(tx, services, { person, signIn }));
  const session = await catchChange(entering, null);
  if (session === null) throw new DomainError("forbidden", SUSPENDED);
  return session;
}

async function enter(
  tx: Transaction,
  services: OidcServices,
  { person, signIn }: { person: Person; signIn: SignIn },
): Promise<NewSession> {
  const family = { workspaceId: person.workspaceId, familyId: uuidv7() };
  const session = await beginSession(tx, {
    familyId: family.familyId,
    providerSession: keepProviderSession(services, family, signIn.claims),
    userId: person.id,
    authEpoch: person.authEpoch,
    sentTo: person.email,
    remembered: signIn.remembered,
    providerId: signIn.id,
    maxDays: services.sessions.maxDays,
    authenticatedAt: toTime(signIn.claims, await tx.now()),
  });
  await requireProvider(tx, signIn);
  return session;
}

/** With the person locked: whoever changes the provider ends the session, or is seen here. */
async function requireProvider({ run }: Transaction, signIn: SignIn): Promise<void> {
  const [same] = await run(FIND_PROVIDER, [signIn.workspaceId, signIn.id, signIn.clientId]);
  if (same !== undefined) return;
  throw new DomainError("unavailable", "The sign-in of your workspace has just been changed. Start again.");
}

const FIND_PROVIDER = sql<{ id: string }>`
SELECT id FROM sign_in_provider WHERE workspace_id = $1::uuid AND id = $2::uuid AND client_id = $3`;

/** A provider that doesn't tell the time may have asked for no password at all. */
function toTime({ authTime }: Claims, now: Date): Date {
  const at = authTime === undefined ? now.getTime() - LIMITS.sudoSeconds * 1000 : authTime * 1000;
  return new Date(Math.min(Math.max(at, now.getTime() - DAY_MS), now.getTime()));
}

const SUSPENDED = "Your account is suspended. Ask an admin of your workspace.";
const NOT_KNOWN = "Nobody in the workspace has your address. Ask an admin to add you.";

async function bindPerson(ctx: Ctx, signIn: SignIn): Promise<Person> {
  try {
    return await ctx.transaction(async (tx) => {
      const bound = await findBound(tx, signIn);
      const person = bound ?? (await findByEmail(tx, signIn));
      requireAllowed(person, signIn);
      if (bound === null) await bind(tx, person, signIn);
      return person;
    });
  } catch (error) {
    // Of several first sign-ins at once, one binds the person.
    const person = await ctx.transaction((tx) => findBound(tx, signIn));
    if (person !== null) {
      requireAllowed(person, signIn);
      return person;
    }
    // An address that was taken meanwhile.
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    throw new DomainError("unavailable", "Your account was just changed. Start again.");
  }
}

function requireAllowed({ role, isSuspended }: Person, { servesOwners }: SignIn): void {
  if (isSuspended) throw new DomainError("forbidden", SUSPENDED);
  if (role !== "owner" || servesOwners) return;
  throw new DomainError(
    "forbidden",
    "Owners can sign in by this provider once an owner has saved its settings. Log in with your password.",
  );
}

const PERSON = `u.id, u.workspace_id AS "workspaceId", u.email, COALESCE(u.name, u.email, u.user_name, '') AS name,
  u.role::text, u.auth_epoch AS "authEpoch", u.suspended_at IS NOT NULL AS "isSuspended",
  u.confirmed_at IS NOT NULL AS "isConfirmed"`;

async function findBound({ run }: Transaction, { workspaceId, id, claims }: SignIn): Promise<Person | null> {
  await run(FORGET_DELETED, [workspaceId, id, claims.sub]);
  const [person = null] = await run(FIND_BOUND, [workspaceId, id, claims.sub]);
  return person;
}

/** Whoever was deleted and added again is another person. */
const FORGET_DELETED = sql`
DELETE FROM user_identity i USING "user" u
WHERE i.workspace_id = $1::uuid AND i.provider_id = $2::uuid AND i.subject = $3
  AND u.workspace_id = i.workspace_id AND u.id = i.user_id AND u.deleted_at IS NOT NULL`;

const FIND_BOUND = sql<Person>`
SELECT ${PERSON} FROM user_identity i
JOIN "user" u ON u.workspace_id = i.workspace_id AND u.id = i.user_id
WHERE i.workspace_id = $1::uuid AND i.provider_id = $2::uuid AND i.subject = $3 AND u.deleted_at IS NULL`;

async function findByEmail(tx: Transaction, signIn: SignIn): Promise<Person> {
  const { email: told, isEmailVerified } = signIn.claims;
  const address = email.safeParse(told);
  if (!address.success || !isEmailVerified) {
    throw new DomainError(
      "forbidden",
      "Your company's sign-in has not verified your email address, so we can't tell who you are. Ask your company to verify it.",
    );
  }
  const { workspaceId } = signIn;
  const [domain] = await tx.run(FIND_DOMAIN, [workspaceId, getDomain(address.data)]);
  if (domain === undefined) {
    throw new DomainError(
      "forbidden",
      "Your email address is not of a domain that your workspace has verified.",
    );
  }
  const [known] = await tx.run(FIND_BY_EMAIL, [workspaceId, address.data]);
  if (known !== undefined) return known;
  return createViewer(tx, address.data, {
    ...signIn,
    mayCreate: signIn.createsViewers && !domain.isScimManaged,
  });
}

const FIND_DOMAIN = sql<{ isScimManaged: boolean }>`
SELECT w.scim_managed AS "isScimManaged" FROM sign_in_domain d JOIN workspace w ON w.id = d.workspace_id
WHERE d.workspace_id = $1::uuid AND d.domain = $2 AND d.verified_at IS NOT NULL`;

const FIND_BY_EMAIL = sql<Person>`
SELECT ${PERSON} FROM "user" u
WHERE u.workspace_id = $1::uuid AND lower(u.email) = lower($2) AND u.deleted_at IS NULL FOR UPDATE`;

async function createViewer(
  tx: Transaction,
  address: string,
  { workspaceId, id, mayCreate, claims }: SignIn & { mayCreate: boolean },
): Promise<Person> {
  if (!mayCreate) throw new DomainError("forbidden", NOT_KNOWN);
  const name = nameInEmails(LIMITS.nameLength).safeParse(claims.name).data ?? null;
  const confirmedAt = await tx.now();
  const fields = { email: address, name, role: "viewer", hashedPassword: null, confirmedAt } as const;
  const { userId, appended } = await insertUser(tx, fields);
  const changes = { role: "viewer", provider_id: id };
  append(tx, {
    ...appended,
    audit: [{ action: "user.created", targetType: "user", targetId: userId, changes }],
  });
  return {
    id: userId,
    workspaceId,
    email: address,
    name: name ?? address,
    role: "viewer",
    authEpoch: 0,
    isSuspended: false,
    isConfirmed: true,
  };
}

/** From now on the person is known by `sub`, and by no address. */
async function bind(tx: Transaction, person: Person, { workspaceId, id, claims }: SignIn): Promise<void> {
  const inserted = await tx.run(INSERT, [workspaceId, id, claims.sub, person.id]);
  if (inserted.length === 0) {
    throw new DomainError(
      "forbidden",
      "Your address belongs to another account of your company's sign-in. Ask an admin of your workspace.",
    );
  }
  if (!person.isConfirmed) await tx.run(CONFIRM, [workspaceId, person.id, await tx.now()]);
  const data = { provider_id: id };
  append(tx, {
    events: [{ type: "user.identity_bound", subjectType: "user", subjectId: person.id, data }],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action: "user.identity_bound", targetType: "user", targetId: person.id, changes: data }],
  });
}

const INSERT = sql<{ userId: string }>`
INSERT INTO user_identity (workspace_id, provider_id, subject, user_id)
SELECT $1::uuid, $2::uuid, $3, $4::uuid
WHERE NOT EXISTS (SELECT 1 FROM user_identity WHERE provider_id = $2::uuid AND user_id = $4::uuid)
RETURNING user_id AS "userId"`;

const CONFIRM = sql`
UPDATE "user" SET confirmed_at = $3::timestamptz, generation = generation + 1, updated_at = $3::timestamptz
WHERE workspace_id = $1::uuid AND id = $2::uuid`;
