import { logIn } from "../../src/auth/sessions/log-in.ts";
import type { ClientInfo } from "../../src/auth/sessions/client-info.ts";
import { beginSession } from "../../src/auth/sessions/begin-session.ts";
import { createSessionlessCtx } from "../../src/auth/create-sessionless-ctx.ts";
import { createUser } from "../../src/auth/users/create-user.ts";
import type { NewSession } from "../../src/domain/kernel/context.ts";
import type { Role } from "../../src/domain/kernel/scopes.ts";
import { type TestAnswer, createTestClient } from "./test-client.ts";
import type { TestServer } from "./server.ts";

/** A user who can log in. */
export type TestPerson = { id: string; workspaceId: string; email: string; password: string };

let made = 0;

/** Hashes of earlier people's passwords: most have the same one, and a hash is slow by design. */
const hashes = new Map<string, Promise<string>>();

/** Creates a confirmed user of a workspace. */
export async function createPerson(
  server: TestServer,
  workspaceId: string,
  fields: { role?: Role; email?: string; password?: string; confirmed?: boolean } = {},
): Promise<TestPerson> {
  const email = fields.email ?? `person-${process.pid}-${made++}@example.com`;
  const password = fields.password ?? "a quiet harbour at dawn";
  const { passwords } = server.services;
  const hash = (asked: string) => {
    const hashed = hashes.get(asked) ?? passwords.hash(asked);
    hashes.set(asked, hashed);
    return hashed;
  };
  const id = await createUser(
    server.systemCtx(workspaceId),
    { ...passwords, hash },
    {
      email,
      password,
      name: "Somebody",
      role: fields.role ?? "admin",
      confirmed: fields.confirmed ?? true,
    },
  );
  return { id, workspaceId, email, password };
}

/** The origin of a test's log-ins. */
export const SEEN: ClientInfo = { ip: "127.0.0.1", userAgent: "A browser of a test", requestId: null };

/** Logs a user in. @returns the session, or null if rejected. */
export async function logInAs(
  server: TestServer,
  { email, password }: Pick<TestPerson, "email" | "password">,
  { remember = false, seen = SEEN } = {},
): Promise<NewSession | null> {
  const input = { email, password, remember, workspaceId: null, replaces: null };
  const result = await logIn(server.services, input, seen);
  return result.outcome === "in" ? result.session : null;
}

/**
 * Begins a session of a user as a log-in with their password does, without the password: to verify one is slow by design.
 *
 * @returns the session's token.
 */
export async function beginTestSession(
  { services, systemCtx }: TestServer,
  { id: userId, workspaceId }: Pick<TestPerson, "id" | "workspaceId">,
  { remember = false, seen = SEEN } = {},
): Promise<string> {
  const found = await systemCtx(workspaceId).db.user.findFirstOrThrow({ where: { id: userId } });
  const { authEpoch, email: sentTo, role } = found;
  const name = found.name ?? sentTo ?? "";
  const ctx = createSessionlessCtx(services, { id: userId, workspaceId, name, role }, seen);
  const { maxDays } = services.sessions;
  const session = await ctx.transaction((tx) =>
    beginSession(tx, {
      ...{ userId, authEpoch, sentTo, remembered: remember, maxDays },
      ...{ authenticatedAt: null, providerId: null },
    }),
  );
  return session.token;
}

/** The Cookie header for these cookies. */
export function buildCookie(session: string | null, rememberMe: string | null = null): string {
  return [
    ...(session === null ? [] : [`_agent_ops_key=${session}`]),
    ...(rememberMe === null ? [] : [`_agent_ops_web_user_remember_me=${rememberMe}`]),
  ].join("; ");
}

/** Requests the caller's identity with cookies. */
export async function askWhoAmI(
  server: Pick<TestServer, "url">,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const query = "{ viewer { actor { type uuid name } role } }";
  return createTestClient(server.url).post("/graphql", { query }, { cookie, ...headers });
}

/** The cookies set by a response: name, value and attributes. */
export function parseSetCookies(
  answer: Pick<TestAnswer, "headers">,
): Record<string, { value: string; attributes: string[] }> {
  const set = answer.headers.getSetCookie().map((cookie) => {
    const [pair = "", ...attributes] = cookie.split("; ");
    const [name = "", value = ""] = pair.split("=");
    return [name, { value, attributes: attributes.toSorted() }] as const;
  });
  return Object.fromEntries(set);
}
