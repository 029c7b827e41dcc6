import { type Adapter, Cookie, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { KnownSession, NewSessionRow, SessionUser } from "../sessions/session-rows.ts";

declare module "lucia" {
  interface Register {
    Lucia: SessionLibrary;
    DatabaseSessionAttributes: KnownSession | NewSessionRow;
    DatabaseUserAttributes: SessionUser;
  }
}

/** Lucia's storage. Lucia identifies a session by its token; only a digest is stored. */
export type SessionAdapter = Adapter;

export type LuciaSession = DatabaseSession;

/** Lucia with an adapter: checks expiry and says when a session must be reissued. */
export type SessionLibrary = ReturnType<typeof createSessionLibrary>;

/**
 * Creates Lucia with an adapter. A session in the second half of its lifetime is returned as `fresh`, which
 * means it must be reissued.
 */
export function createSessionLibrary(adapter: SessionAdapter) {
  return new Lucia(adapter, {
    sessionExpiresIn: new TimeSpan(LIMITS.sessionDays, "d"),
    getSessionAttributes: (attributes) => ({ known: attributes }),
    getUserAttributes: (person) => ({ person }),
  });
}

/** Without `maxAge`, in seconds, the cookie ends with the browser. */
export type CookieLife = { secure: boolean; maxAge?: number };

/**
 * Builds a Set-Cookie header for the whole site, not readable by scripts. An empty value with maxAge 0
 * clears the cookie.
 */
export function serializeCookie(name: string, value: string, life: CookieLife): string {
  return new Cookie(name, value, { path: "/", httpOnly: true, sameSite: "lax", ...life }).serialize();
}
