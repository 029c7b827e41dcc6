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

const KEY_OF_TOKEN = "api_key k ON k.workspace_id = t.workspace_id AND k.id = t.api_key_id";
const TRUST_OF_TOKEN = "workload_trust u ON u.workspace_id = t.workspace_id AND u.id = t.trust_id";
const IS_TRUST_OVER = "u.disabled_at IS NOT NULL OR u.deleted_at IS NOT NULL";

/**
 * An agent token `t` of the key `k` or of the workload's trust `u`. It never has more rights than its parent has now,
 * nor a later expiry.
 */
export const AGENT_TOKEN: AgentCredential = {
  from: `agent_token t LEFT JOIN ${KEY_OF_TOKEN} LEFT JOIN ${TRUST_OF_TOKEN}`,
  scopes: "ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(COALESCE(k.scopes, u.scopes)))",
  isRevoked: `(t.revoked_at IS NOT NULL OR k.revoked_at IS NOT NULL OR ${IS_TRUST_OVER})`,
  expiresAt: "LEAST(t.expires_at, k.expires_at)",
};

/** {@link AGENT_TOKEN} where the parent's kind is known, so that its row can be locked. */
export const AGENT_TOKEN_OF: Record<"api_key" | "workload_trust", Validity & { from: string }> = {
  api_key: {
    from: `agent_token t JOIN ${KEY_OF_TOKEN}`,
    isRevoked: "(t.revoked_at IS NOT NULL OR k.revoked_at IS NOT NULL)",
    expiresAt: "LEAST(t.expires_at, k.expires_at)",
  },
  workload_trust: {
    from: `agent_token t JOIN ${TRUST_OF_TOKEN}`,
    isRevoked: `(t.revoked_at IS NOT NULL OR ${IS_TRUST_OVER})`,
    expiresAt: "t.expires_at",
  },
};

/**
 * What a socket depends on that the socket token `s` opened: the key `k` or the workload's trust `u` and, if it
 * minted `s`, the agent token `t`. The expiry of `s` itself does not close the socket.
 */
export const SOCKET_TOKEN: AgentCredential = {
  from: `socket_token s LEFT JOIN api_key k ON k.workspace_id = s.workspace_id AND k.id = s.api_key_id
    LEFT JOIN workload_trust u ON u.workspace_id = s.workspace_id AND u.id = s.trust_id
    LEFT JOIN agent_token t ON t.workspace_id = s.workspace_id AND t.id = s.agent_token_id`,
  scopes: `ARRAY(SELECT unnest(s.scopes) INTERSECT SELECT unnest(COALESCE(k.scopes, u.scopes))
    INTERSECT SELECT unnest(COALESCE(t.scopes, s.scopes)))`,
  isRevoked: `(k.revoked_at IS NOT NULL OR t.revoked_at IS NOT NULL OR s.agent_token_id IS NOT NULL AND t.id IS NULL
    OR ${IS_TRUST_OVER})`,
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
