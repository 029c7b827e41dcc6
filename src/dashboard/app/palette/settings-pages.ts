/** A path, its label, and who may open it. */
export type Place = readonly [path: string, label: string, role: "VIEWER" | "OPERATOR" | "ADMIN"];

/** The settings, which the server renders. */
export const SETTINGS: readonly Place[] = [
  ["/settings", "Settings", "VIEWER"],
  ["/settings/password", "Password", "VIEWER"],
  ["/settings/email", "Email", "VIEWER"],
  ["/settings/security", "Security", "VIEWER"],
  ["/settings/notifications", "Notifications", "VIEWER"],
  ["/settings/workspace", "Workspace", "ADMIN"],
  ["/settings/members", "Members", "ADMIN"],
  ["/settings/groups", "Groups", "ADMIN"],
  ["/settings/webhooks", "Webhooks", "ADMIN"],
  ["/settings/audit", "Audit log", "ADMIN"],
  ["/settings/api-keys", "API keys", "ADMIN"],
  ["/settings/agent-tokens", "Agent tokens", "ADMIN"],
  ["/settings/socket-tokens", "Socket tokens", "ADMIN"],
  ["/settings/workloads", "Workload identity", "ADMIN"],
  ["/settings/scim", "SCIM", "ADMIN"],
  ["/settings/sign-in", "Sign-in", "ADMIN"],
];
