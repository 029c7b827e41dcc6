import { type LinkServices, findLink } from "../emails/find-link.ts";

/** Whether an email change link is valid. Does not use it up. */
export async function isEmailChangeLinkValid(services: LinkServices, token: string): Promise<boolean> {
  return (await findLink(services, "email_change", token)) !== null;
}
