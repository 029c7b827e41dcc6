import type { Role, Scope } from "./scopes.ts";

/** What an agent's tokens are minted by and depend on. */
export type CredentialParent = { kind: "api_key" | "workload_trust"; id: string };

/** An agent's credential. */
export type AgentCredential = {
  kind: "api_key" | "agent_token";
  id: string;
  /** The API key itself, or what minted the token. */
  parent: CredentialParent;
  /** The lineage of that API key, or the trust. */
  lineageId: string;
  /** When the credential expires; null for never. */
  expiresAt: Date | null;
};

/** The columns of a token that say what minted it; exactly one is set. */
export type ParentColumns = { apiKeyId: string | null; trustId: string | null };

/** Returns what a token depends on. */
export function toParent({ apiKeyId, trustId }: ParentColumns): CredentialParent {
  if (apiKeyId !== null) return { kind: "api_key", id: apiKeyId };
  if (trustId !== null) return { kind: "workload_trust", id: trustId };
  throw new Error("a token has no parent");
}

/** A person's browser session. */
export type UserSession = {
  id: string;
  /** Shared by all sessions that were reissued from one log-in. */
  familyId: string;
  /** Whether the password was entered within the last 20 minutes. */
  isSudo: boolean;
  /** Whether it may do nothing but add a second factor, and log out. */
  needsFactor: boolean;
};

/** A person in the workspace. */
export type UserActor = { type: "user"; id: string; name: string; role: Role; session: UserSession };

/**
 * Who acts: an agent with its credential, a person, an identity provider, or the system. A person who
 * opened a mailed link, or is logging in, has no session.
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

/** An actor as stored in rows and events. */
export type ActorRecord = { type: Actor["type"]; id: string | null; name: string };

/** Returns an actor's record, without credentials and rights. */
export function createActorRecord(actor: Actor): ActorRecord {
  return { type: actor.type, id: actor.type === "system" ? null : actor.id, name: actor.name };
}

/**
 * What a caller's request body is charged to: the agents, the people or the identity provider of its
 * workspace, so that agents never keep people from stopping them.
 */
export function getBodyHolder({ actor, workspaceId }: { actor: Actor; workspaceId: string }): string {
  return `${actor.type} ${workspaceId}`;
}

/** The id under which an actor's requests are counted: its credential's or its own. */
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
