import type { Role, Scope } from "./scopes.ts";

/** The credential that an agent came with. */
export type AgentCredential = {
  kind: "api_key" | "agent_token";
  id: string;
  /** The API key itself, or the one that minted the token. */
  apiKeyId: string;
  /** That key with all that it was rotated from and to. */
  lineageId: string;
  /** When the credential ends by itself; null for never. */
  expiresAt: Date | null;
};

/** The browser session that a person came with. */
export type UserSession = {
  id: string;
  /** Of all sessions that were reissued from one log-in. */
  familyId: string;
  /** Whether the password was given within the last 20 minutes. */
  isSudo: boolean;
};

/** A person who is logged in. */
export type UserActor = { type: "user"; id: string; name: string; role: Role; session: UserSession };

/**
 * Whoever acts: an agent with its credential, a person, an identity provider, or the service itself. A person
 * who follows a mailed link, or is about to be logged in, has no session.
 */
export type Actor =
  | {
      type: "agent";
      id: string;
      name: string;
      scopes: ReadonlySet<Scope>;
      credential: AgentCredential;
    }
  | UserActor
  | (Omit<UserActor, "session"> & { session: null })
  | { type: "scim"; id: string; name: string }
  | { type: "system"; name: string };

/** An actor as rows and events keep it. */
export type ActorRecord = { type: Actor["type"]; id: string | null; name: string };

/** What is kept of an actor: who it was, nothing of what it could do. */
export function createActorRecord(actor: Actor): ActorRecord {
  return { type: actor.type, id: actor.type === "system" ? null : actor.id, name: actor.name };
}

/** What an actor's requests are counted under: its credential, or itself. */
export function credentialId(actor: Actor): string | null {
  switch (actor.type) {
    case "agent":
      return actor.credential.id;
    case "user":
    case "scim":
      return actor.id;
    case "system":
      return null;
  }
}
