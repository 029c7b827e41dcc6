import { isIP } from "node:net";
import { z } from "zod";
import { LIMITS } from "../../domain/limits.ts";

/** Addresses and networks such as 10.0.0.0/8 from which a key may be used, each once; none means everywhere. */
export const ipAllowlist = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .refine(isAddressOrNetwork, "must be an address, or a network such as 10.0.0.0/8 or 2001:db8::/32"),
  )
  .max(LIMITS.ipAllowlist, `must have at most ${LIMITS.ipAllowlist} entries`)
  .transform((entries) => [...new Set(entries)]);

function isAddressOrNetwork(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.split("/");
  const family = isIP(address);
  // A caller's address has no zone, and an IPv4 address is never written as one of IPv6.
  if (family === 0 || rest.length > 0 || address.includes("%") || address.startsWith("::ffff:")) return false;
  if (prefix === undefined) return true;
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32);
}
