import { z } from "zod";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { parseNetwork } from "../../http/network.ts";

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
  // A caller's address has no zone, and an IPv4 address is never written as one of IPv6.
  return !entry.includes("%") && !entry.startsWith("::ffff:") && parseNetwork(entry) !== null;
}
