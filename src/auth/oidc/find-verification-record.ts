import { createDnsResolver } from "../../http/outbound/dns-resolver.ts";

/** Where the DNS record of a domain is. Its value is {@link getRecordValue}. */
export function getRecordName(domain: string): string {
  return `_agent-ops-sign-in.${domain}`;
}

export function getRecordValue(token: string): string {
  return `agent-ops-domain-verification=${token}`;
}

/**
 * Asks DNS whether a domain has its verification record: a TXT record of our name with the token.
 *
 * @returns null if it has; else why not.
 */
export async function findRecordProblem(domain: string, token: string): Promise<string | null> {
  const name = getRecordName(domain);
  try {
    const records = await createDnsResolver().resolveTxt(name);
    if (records.some((parts) => parts.join("") === getRecordValue(token))) return null;
    return `has another TXT record at ${name} than the one shown`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOTFOUND" || code === "ENODATA") return `has no TXT record at ${name} yet`;
    return `can't be looked up in DNS at the moment (${code}): try again later`;
  }
}
