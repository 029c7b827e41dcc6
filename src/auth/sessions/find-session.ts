import type { UserActor } from "../../domain/kernel/actor.ts";
import { createSessionLibrary } from "../vendor/lucia.ts";
import { createSessionReader } from "./session-adapter.ts";
import type { KnownSession } from "./session-rows.ts";
import type { SessionServices } from "./session-services.ts";

/** A valid session. */
export type FoundSession = {
  actor: UserActor;
  known: KnownSession;
  workspaceSuspended: boolean;
  isReissueDue: boolean;
};

/** The result of a look-up: a valid session, or one that was replaced long ago. */
export type SessionLookUp =
  | { state: "valid"; found: FoundSession }
  | { state: "superseded"; known: KnownSession; userId: string }
  | { state: "unknown" };

/** Looks up a session by its token with one query. */
export async function findSession(services: SessionServices, token: string): Promise<SessionLookUp> {
  const library = createSessionLibrary(
    createSessionReader(services.database, { now: services.now, ...services.sessions }),
  );
  const { session, user } = await library.validateSession(token);
  if (session === null) return { state: "unknown" };
  // The adapter returns only known sessions.
  const known = session.known as KnownSession;
  if (known.isSuperseded) return { state: "superseded", known, userId: user.id };
  const { name, role, workspaceSuspended } = user.person;
  const { id, familyId, isSudo, needsFactor } = known;
  return {
    state: "valid",
    found: {
      actor: { type: "user", id: user.id, name, role, session: { id, familyId, isSudo, needsFactor } },
      known,
      workspaceSuspended,
      isReissueDue: session.fresh && known.canGain && !known.isReplaced,
    },
  };
}
