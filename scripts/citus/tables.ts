/** Of every worker the whole: few rows, rarely written. Tables name the workspace, and domains are unique in all of them. */
export const REFERENCE: Readonly<Record<string, string>> = {
  workspace: "every tenant table refers to it; one row for each workspace",
  sign_in_domain: "a verified domain belongs to one workspace of all",
};

/** On the coordinator. */
export const LOCAL: Readonly<Record<string, string>> = {
  _prisma_migrations: "of the schema",
  client_state_key: "keys of all nodes",
  node: "the nodes that run",
  passkey_challenge: "before anybody has said who they are",
  reset_request: "of an address, which may be in several workspaces",
  revocation: "one order for all workspaces: every node reads it from where it has come",
  revocation_head: "the number of the last of them",
  throttle: "of an address or a network, before anybody has said who they are",
};

const RANDOM = "random, of 16 bytes or more: two are never the same";

/**
 * Unique indexes of distributed tables without the workspace. Citus can't hold them over shards, so the workspace comes
 * first in them, and what was unique before has an index of its own, by which one row is found on all shards.
 */
export const WIDENED: Readonly<Record<string, string>> = {
  agent_token_digest_key: RANDOM,
  api_key_digest_key: RANDOM,
  api_key_public_id_key: RANDOM,
  passkey_credential_id_key: "chosen at random by the authenticator",
  pending_log_in_pkey: RANDOM,
  scim_token_digest_key: RANDOM,
  sign_in_attempt_pkey: RANDOM,
  socket_token_digest_key: RANDOM,
  unsubscribe_link_token_digest_key: RANDOM,
  user_identity_pkey: "a provider belongs to one workspace",
  user_identity_provider_id_user_id_key: "a provider belongs to one workspace",
  users_tokens_context_token_digest_key: RANDOM,
  workload_trust_id_key: "a UUID",
  workspace_head_epoch_key: "a UUID",
};
