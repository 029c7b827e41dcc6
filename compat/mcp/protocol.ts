/** The versions that begin with `initialize`, oldest first. */
export const LEGACY_VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25"] as const;

/** The version in which each request says what its client can do. */
export const MODERN_VERSION = "2026-07-28";

/** Members of `_meta` that the protocol defines. */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  serverInfo: "io.modelcontextprotocol/serverInfo",
} as const;

/** Extensions of the protocol. */
export const EXTENSIONS = { tasks: "io.modelcontextprotocol/tasks" } as const;

/** The error codes of JSON-RPC and of the protocol. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** How long clients may keep what changes with releases and scopes only. */
export const LIST_TTL_MS = 300_000;

/** What clients may show of us. */
export const SERVER_INFO = { name: "agent-ops", title: "Agent Ops", version: "0.1.0" } as const;
