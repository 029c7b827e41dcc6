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

/** Where Lucia keeps sessions. It knows a session by its token alone, of which only a digest is stored. */
export type SessionAdapter = Adapter;

/** A session as Lucia hands it to its adapter. */
export type LuciaSession = DatabaseSession;

/** Lucia over an adapter: it checks lifetimes and says when a session is due to be reissued. */
export type SessionLibrary = ReturnType<typeof createSessionLibrary>;

/**
 * Puts Lucia over an adapter. A session in the second half of its life comes out as `fresh`: it is due
 * to be reissued.
 */
export function createSessionLibrary(adapter: SessionAdapter) {
  return new Lucia(adapter, {
    sessionExpiresIn: new TimeSpan(LIMITS.sessionDays, "d"),
    getSessionAttributes: (attributes) => ({ known: attributes }),
    getUserAttributes: (person) => ({ person }),
  });
}

/** How a cookie is kept. Without `maxAge`, in seconds, it ends with the browser. */
export type CookieLife = { secure: boolean; maxAge?: number };

/** A Set-Cookie header for the whole site that no script can read. An empty value and a maxAge of 0 clear it. */
export function serializeCookie(name: string, value: string, life: CookieLife): string {
  return new Cookie(name, value, { path: "/", httpOnly: true, sameSite: "lax", ...life }).serialize();
}
