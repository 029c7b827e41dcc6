import type { NewSession } from "../../domain/kernel/context.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { readCookies } from "../../http/cookies.ts";
import { serializeCookie } from "../vendor/lucia.ts";

const SESSION = "_agent_ops_key";
const REMEMBER_ME = "_agent_ops_web_user_remember_me";
const REMEMBERED_SECONDS = LIMITS.sessionDays * 86_400;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The session tokens that a request carries, each once: of the session cookie, and of the one that outlives the browser. */
export type SessionTokens = { session: string[]; rememberMe: string[] };

/** Reads the tokens that could be ours from a Cookie header. */
export function readSessionTokens(header: string | undefined): SessionTokens {
  return { session: readTokens(header, SESSION), rememberMe: readTokens(header, REMEMBER_ME) };
}

function readTokens(header: string | undefined, name: string): string[] {
  return [...new Set(readCookies(header, name))].filter((value) => TOKEN.test(value));
}

/**
 * The Set-Cookie headers that make a browser keep a session.
 *
 * @param header the browser's Cookie header: another session that it remembers is forgotten.
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

/** The Set-Cookie headers that make a browser forget its session. */
export function clearSessionCookies(secure: boolean): string[] {
  return [SESSION, REMEMBER_ME].map((name) => serializeCookie(name, "", { secure, maxAge: 0 }));
}
