import type { NewSession } from "../../domain/kernel/context.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { readCookies } from "../../http/cookies.ts";
import { serializeCookie } from "../vendor/lucia.ts";

const SESSION = "_agent_ops_key";
const REMEMBER_ME = "_agent_ops_web_user_remember_me";
const REMEMBERED_SECONDS = LIMITS.sessionDays * 86_400;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The session tokens of a request, without duplicates: of the session cookie and of the remember-me cookie.
 */
export type SessionTokens = { session: string[]; rememberMe: string[] };

/** Reads well-formed session tokens from a Cookie header. */
export function readSessionTokens(header: string | undefined): SessionTokens {
  return { session: readTokens(header, SESSION), rememberMe: readTokens(header, REMEMBER_ME) };
}

function readTokens(header: string | undefined, name: string): string[] {
  return [...new Set(readCookies(header, name))].filter((value) => TOKEN.test(value));
}

/**
 * Builds the Set-Cookie headers that store a session.
 *
 * @param header the request's Cookie header: a remember-me cookie of another session is cleared.
 */
export function createSessionCookies(
  { token, remembered }: NewSession,
  { secure, header }: { secure: boolean; header: string | undefined },
): string[] {
  const session = serializeCookie(SESSION, token, { secure });
  if (remembered)
    return [session, serializeCookie(REMEMBER_ME, token, { secure, maxAge: REMEMBERED_SECONDS })];
  const isAnother = readCookies(header, REMEMBER_ME).length > 0;
  return isAnother ? [session, serializeCookie(REMEMBER_ME, "", { secure, maxAge: 0 })] : [session];
}

/** Builds the Set-Cookie headers that clear the session. */
export function clearSessionCookies(secure: boolean): string[] {
  return [SESSION, REMEMBER_ME].map((name) => serializeCookie(name, "", { secure, maxAge: 0 }));
}
