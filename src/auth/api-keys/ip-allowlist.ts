import { z } from "zod";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { parseNetwork } from "../../http/network.ts";

/**
 * Addresses and networks such as 10.0.0.0/8 from which a key is accepted, without duplicates. Empty allows
 * all.
 */
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
  // Callers' addresses have no zone, and IPv4 addresses are never in IPv6 notation.
  return !entry.includes("%") && !entry.startsWith("::ffff:") && parseNetwork(entry) !== null;
}
