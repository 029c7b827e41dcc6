/**
 * Seals what a client carries and brings back, so that it can neither read nor change it, and any node can open it.
 * `binding` is what it is for and whose, such as `["mcp request state", workspaceId, agentId]`: it opens with the same
 * only.
 */
export type ClientStates = {
  /** Returns visible ASCII. */
  seal: (state: object, options: { binding: Binding; seconds: number }) => Promise<string>;
  /** Returns null if it is not a sealed state, expired, or of another binding. */
  open: (text: string, binding: Binding) => Promise<unknown>;
};

type Binding = readonly string[];
