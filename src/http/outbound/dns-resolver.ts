import dns from "node:dns";

const TIMEOUT_MS = 2000;
const TRIES = 2;

/** Asks the name servers of this process, as they are now. */
export function createDnsResolver(): dns.promises.Resolver {
  const resolver = new dns.promises.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  resolver.setServers(dns.getServers());
  return resolver;
}
