/** A key that was just created, with its secret. */
export type MintedKey = {
  /** The key's global id. */
  id: string;
  uuid: string;
  agentUuid: string;
  agentName: string;
  secret: string;
};
