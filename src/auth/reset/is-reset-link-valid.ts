import { type LinkServices, findLink } from "../emails/find-link.ts";

/** Whether a reset link is valid. Does not use it up. */
export async function isResetLinkValid(services: LinkServices, token: string): Promise<boolean> {
  return (await findLink(services, "reset_password", token)) !== null;
}
