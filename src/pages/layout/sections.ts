/** A section of the settings area. */
export type Section = { href: string; title: string; group: string };

const OWN: readonly Section[] = [
  { href: "/settings", title: "Profile", group: "You" },
  { href: "/settings/password", title: "Password", group: "You" },
  { href: "/settings/email", title: "Email", group: "You" },
  { href: "/settings/sessions", title: "Sessions", group: "You" },
];

const ADMINS: readonly Section[] = [
  { href: "/settings/workspace", title: "General", group: "Workspace" },
  { href: "/settings/members", title: "Members", group: "Workspace" },
  { href: "/settings/groups", title: "Groups", group: "Workspace" },
  { href: "/settings/audit", title: "Audit log", group: "Workspace" },
  { href: "/settings/api-keys", title: "API keys", group: "Credentials" },
  { href: "/settings/agent-tokens", title: "Agent tokens", group: "Credentials" },
  { href: "/settings/socket-tokens", title: "Socket tokens", group: "Credentials" },
  { href: "/settings/scim", title: "SCIM", group: "Credentials" },
];

/** The sections that somebody sees: everybody his own, admins the workspace's too. */
export function listSections(isAdmin: boolean): Section[] {
  return isAdmin ? [...OWN, ...ADMINS] : [...OWN];
}
