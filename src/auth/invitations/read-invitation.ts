import { type LinkServices, findLink } from "../emails/find-link.ts";

/** What the invitation page shows. */
export type Invitation = { workspaceName: string; email: string };

/** Reads the invitation of a mailed link. Returns null if the link is not valid. Does not use it up. */
export async function readInvitation(services: LinkServices, token: string): Promise<Invitation | null> {
  const link = await findLink(services, "invitation", token);
  if (link === null || link.email === null) return null;
  return { workspaceName: link.workspaceName, email: link.email };
}
