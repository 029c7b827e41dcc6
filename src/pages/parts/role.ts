import type { Html } from "../html.ts";
import { badge } from "./notice.ts";

/** What each role may do, from most to least. Owners and admins alone see the workspace's settings. */
export const ROLE_OPTIONS = [
  { value: "OWNER", title: "Owner", means: "Everything, also what touches other owners." },
  { value: "ADMIN", title: "Admin", means: "Members, credentials and the workspace's settings." },
  { value: "OPERATOR", title: "Operator", means: "Gives agents work, commands and answers." },
  { value: "VIEWER", title: "Viewer", means: "Reads, and changes nothing." },
] as const;

/** A role as a badge. */
export function roleBadge(role: string): Html {
  return badge("plain", ROLE_OPTIONS.find(({ value }) => value === role)?.title ?? role);
}
