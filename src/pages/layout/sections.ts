export type Section = { href: string; title: string; group: string };

const OWN: readonly Section[] = [
  { href: "/settings", title: "Profile", group: "Account" },
  { href: "/settings/password", title: "Password", group: "Account" },
  { href: "/settings/email", title: "Email", group: "Account" },
  { href: "/settings/security", title: "Security", group: "Account" },
  { href: "/settings/notifications", title: "Notifications", group: "Account" },
];

const ADMINS: readonly Section[] = [
  { href: "/settings/workspace", title: "General", group: "Workspace" },
  { href: "/settings/members", title: "Members", group: "Workspace" },
  { href: "/settings/groups", title: "Groups", group: "Workspace" },
  { href: "/settings/webhooks", title: "Webhooks", group: "Workspace" },
  { href: "/settings/audit", title: "Audit log", group: "Workspace" },
  { href: "/settings/api-keys", title: "API keys", group: "Credentials" },
  { href: "/settings/agent-tokens", title: "Agent tokens", group: "Credentials" },
  { href: "/settings/socket-tokens", title: "Socket tokens", group: "Credentials" },
  { href: "/settings/workloads", title: "Workload identity", group: "Credentials" },
  { href: "/settings/scim", title: "SCIM", group: "Credentials" },
  { href: "/settings/sign-in", title: "Sign-in", group: "Credentials" },
];

/** The sections a user sees: their account, and for admins the workspace. */
export function listSections(isAdmin: boolean): Section[] {
  return isAdmin ? [...OWN, ...ADMINS] : [...OWN];
}
