import { type LinkServices, findLink } from "../emails/find-link.ts";

/** Whether a reset link works at this moment. To look uses nothing up. */
export async function isResetLinkValid(services: LinkServices, token: string): Promise<boolean> {
  return (await findLink(services, "reset_password", token)) !== null;
}
