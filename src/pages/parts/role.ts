import type { Html } from "../html.ts";
import { badge } from "./notice.ts";

/** Roles and what they may do, from most to least. Only owners and admins see the workspace's settings. */
export const ROLE_OPTIONS = [
  { value: "OWNER", title: "Owner", means: "Full access, including other owners." },
  { value: "ADMIN", title: "Admin", means: "Manages members, credentials and workspace settings." },
  {
    value: "OPERATOR",
    title: "Operator",
    means: "Creates tasks and missions, sends commands and answers agents.",
  },
  { value: "VIEWER", title: "Viewer", means: "Read-only access." },
] as const;

export function roleBadge(role: string): Html {
  return badge("plain", ROLE_OPTIONS.find(({ value }) => value === role)?.title ?? role);
}
