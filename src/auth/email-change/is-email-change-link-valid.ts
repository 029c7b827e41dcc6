import { type LinkServices, findLink } from "../emails/find-link.ts";

/** Whether the link of an e-mail change works at this moment. To look uses nothing up. */
export async function isEmailChangeLinkValid(services: LinkServices, token: string): Promise<boolean> {
  return (await findLink(services, "email_change", token)) !== null;
}
