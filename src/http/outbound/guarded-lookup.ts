import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import type { FindAddressProblem } from "./address-rules.ts";
import { OutboundError } from "./outbound-error.ts";
import { type Resolve, resolveName } from "./resolve-name.ts";

type GuardOptions = { findProblem: FindAddressProblem; isSecure: boolean; resolve?: Resolve };

/**
 * Creates the function with which a connection finds the addresses of a name. It fails if one of them may not be
 * reached, so the connection is to an address that was looked at, whatever the name says a moment later.
 */
export function createGuardedLookup({
  findProblem,
  isSecure,
  resolve = resolveName,
}: GuardOptions): LookupFunction {
  const find = callbackify(findAddresses);
  return (name, options, callback) => {
    find(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (first === undefined) callback(error, []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

  async function findAddresses(name: string): Promise<LookupAddress[]> {
    const addresses = await resolve(name);
    if (addresses.length === 0) throw createNoAddressError(name);
    const problem = addresses
      .map(({ address }) => findProblem(address, isSecure))
      .find((one) => one !== null);
    if (problem !== undefined) throw createAddressError(name, problem);
    return addresses;
  }
}

/** The message does not tell the address of a name, which may be of an inner network. */
export function createAddressError(host: string, problem: string): OutboundError {
  return new OutboundError("address", `${host} ${problem}. OUTBOUND_ALLOW of the server does not list it.`);
}

function createNoAddressError(name: string): OutboundError {
  return new OutboundError("connect", `${name} has no address.`);
}
