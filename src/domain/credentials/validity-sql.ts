import { NOW } from "../../db/sql.ts";

/** The validity of a credential, in SQL. */
export type Validity = {
  /** A condition. */
  isRevoked: string;
  /** A time; null for never. */
  expiresAt: string;
};

/** A kind of agent credential: its rows, validity and scopes. */
type AgentCredential = Validity & { from: string; scopes: string };

/** An API key `k`. */
export const API_KEY: AgentCredential = {
  from: "api_key k",
  scopes: "k.scopes",
  ...getOwnValidity("k"),
};

/** An agent token `t` of the key `k`. It never has more rights than its key has now, nor a later expiry. */
export const AGENT_TOKEN: AgentCredential = {
  from: "agent_token t JOIN api_key k ON k.workspace_id = t.workspace_id AND k.id = t.api_key_id",
  scopes: "ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(k.scopes))",
  isRevoked: "(t.revoked_at IS NOT NULL OR k.revoked_at IS NOT NULL)",
  expiresAt: "LEAST(t.expires_at, k.expires_at)",
};

/**
 * What a socket depends on that the socket token `s` opened: the key `k` and, if it minted `s`, the agent
 * token `t`. The expiry of `s` itself does not close the socket.
 */
export const SOCKET_TOKEN: AgentCredential = {
  from: `socket_token s JOIN api_key k ON k.workspace_id = s.workspace_id AND k.id = s.api_key_id
    LEFT JOIN agent_token t ON t.workspace_id = s.workspace_id AND t.id = s.agent_token_id`,
  scopes: `ARRAY(SELECT unnest(s.scopes) INTERSECT SELECT unnest(k.scopes)
    INTERSECT SELECT unnest(COALESCE(t.scopes, s.scopes)))`,
  isRevoked: `(k.revoked_at IS NOT NULL OR t.revoked_at IS NOT NULL OR s.agent_token_id IS NOT NULL AND t.id IS NULL)`,
  expiresAt: "LEAST(t.expires_at, k.expires_at)",
};

/** The validity of a row alone, with or without an alias. */
export function getOwnValidity(alias?: string): Validity {
  const prefix = alias === undefined ? "" : `${alias}.`;
  return { isRevoked: `${prefix}revoked_at IS NOT NULL`, expiresAt: `${prefix}expires_at` };
}

/** Condition: the credential is valid. */
export function buildValidSql({ isRevoked, expiresAt }: Validity): string {
  return `(NOT (${isRevoked}) AND (${expiresAt} IS NULL OR ${expiresAt} > ${NOW}))`;
}

/** Condition: the time has passed. */
export function buildExpiredSql(expiresAt: string): string {
  return `COALESCE(${expiresAt} <= ${NOW}, false)`;
}

/** Milliseconds until a time; null for never. */
export function buildRemainingMsSql(expiresAt: string): string {
  return `(EXTRACT(EPOCH FROM ${expiresAt} - ${NOW}) * 1000)::float8`;
}
