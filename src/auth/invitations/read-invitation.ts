import { type LinkServices, findLink } from "../emails/find-link.ts";

/** What an invitation is to. */
export type Invitation = { workspaceName: string; email: string };

/** Reads the invitation of a mailed link; null where the link does not work. To look uses nothing up. */
export async function readInvitation(services: LinkServices, token: string): Promise<Invitation | null> {
  const link = await findLink(services, "invitation", token);
  if (link === null || link.email === null) return null;
  return { workspaceName: link.workspaceName, email: link.email };
}
