import type { Config } from "../../config/config.ts";
import { type Finding, fail, ok, warn } from "../../db/diagnosis/finding.ts";
import { request } from "./request.ts";

/**
 * Asks the mail provider for the domain that emails are sent from. Sends none.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/domains
 */
export async function examineMail({ mail, dataDir }: Config, signal: AbortSignal): Promise<Finding> {
  const check = "mail";
  const { mailgun } = mail;
  if (mailgun === null)
    return warn(
      check,
      `emails are written to ${dataDir}/mailbox`,
      "Set MAILGUN_API_KEY and MAILGUN_DOMAIN to send them.",
    );
  const { apiKey, domain, baseUrl } = mailgun;
  const authorization = `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`;
  const answer = await request(`${baseUrl}/v3/domains/${encodeURIComponent(domain)}`, {
    ...{ headers: { authorization }, signal },
  });
  if ("problem" in answer)
    return fail(
      check,
      `${baseUrl} can't be reached: ${answer.problem}`,
      "Let this machine connect to it by https.",
    );
  const { status } = answer;
  if (status === 200) return ok(check, `${baseUrl} accepts the key for ${domain}`);
  if (status === 404)
    return fail(
      check,
      `${baseUrl} doesn't know ${domain}`,
      "Check MAILGUN_DOMAIN, and MAILGUN_BASE_URL for a domain in the EU.",
    );
  if (status === 401 || status === 403)
    return warn(
      check,
      `${baseUrl} answers, and doesn't let the key read ${domain} (${status})`,
      "Check MAILGUN_API_KEY. A key that may only send is like this too: ask for a password reset to try it.",
    );
  return warn(check, `${baseUrl} answers with ${status}`, "Emails are sent again until it works.");
}
