import type { LookupAddress } from "node:dns";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { createDnsResolver } from "./dns-resolver.ts";

/** Finds the addresses of a name. Rejects with an error that has a code, such as ENOTFOUND. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

const HOSTS = "/etc/hosts";
const RESOLVER = "/etc/resolv.conf";
/** Of each family: every address is looked at. */
const MOST_ADDRESSES = 16;

/**
 * Finds the addresses of a name in the hosts file, or else in DNS as it is written and within the search domains.
 *
 * The system's own way occupies one of the process's few threads for as long as a name's server keeps silent, so that
 * whoever enters such names would delay all other requests.
 */
export async function resolveName(name: string): Promise<LookupAddress[]> {
  const listed = await readListed(name);
  if (listed.length > 0) return listed;
  const domains = name.endsWith(".") ? [] : await readSearchDomains();
  try {
    return await askDns(name);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    for (const domain of domains) {
      const found = await askDns(`${name}.${domain}`).catch(() => []);
      if (found.length > 0) return found;
    }
    throw error;
  }
}

async function readListed(name: string): Promise<LookupAddress[]> {
  const own = name.toLowerCase().replace(/\.$/, "");
  const lines = await readLines(HOSTS);
  return lines.flatMap(([address = "", ...names]) => {
    const isListed = isIP(address) !== 0 && names.some((one) => one.toLowerCase() === own);
    return isListed ? { address, family: isIP(address) } : [];
  });
}

async function readSearchDomains(): Promise<string[]> {
  const lines = await readLines(RESOLVER);
  const [, ...domains] = lines.findLast(([word]) => word === "search") ?? [];
  return domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "");
}

/** The words of each line of a file without its comments; none if the system has no such file. */
async function readLines(path: string): Promise<string[][]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").map((line) => {
    const [told = ""] = line.split(/[#;]/, 1);
    return told.trim().split(/\s+/);
  });
}

/** @throws the error of the first family, if there is no address. */
async function askDns(name: string): Promise<LookupAddress[]> {
  const resolver = createDnsResolver();
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [...toAddresses(four, 4), ...toAddresses(six, 6)];
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found;
}

function toAddresses(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  if (answer.status === "rejected") return [];
  return answer.value.slice(0, MOST_ADDRESSES).map((address) => ({ address, family }));
}

function isUnknown(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA")
  );
}
