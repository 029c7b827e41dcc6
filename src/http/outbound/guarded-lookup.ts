import dns, { type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { FindAddressProblem } from "./address-rules.ts";
import { OutboundError } from "./outbound-error.ts";

/** Finds the addresses of a name. */
export type Resolve = (
  name: string,
  options: dns.LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

type GuardOptions = { findProblem: FindAddressProblem; isSecure: boolean; resolve?: Resolve };

/**
 * Creates the function with which a connection finds the addresses of a name. It fails if one of them may not be
 * reached, so the connection is to an address that was looked at, whatever the name says a moment later.
 */
export function createGuardedLookup({
  findProblem,
  isSecure,
  resolve = dns.lookup,
}: GuardOptions): LookupFunction {
  return (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const failure = error ?? findFailure(name, addresses);
      const [first] = addresses ?? [];
      if (failure !== null || first === undefined) callback(failure ?? createNoAddressError(name), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

  function findFailure(name: string, addresses: readonly LookupAddress[]): OutboundError | null {
    const problems = addresses.map(({ address }) => findProblem(address, isSecure));
    const problem = problems.find((one) => one !== null) ?? null;
    return problem === null ? null : createAddressError(name, problem);
  }
}

/** The message does not tell the address of a name, which may be of an inner network. */
export function createAddressError(host: string, problem: string): OutboundError {
  return new OutboundError("address", `${host} ${problem}. OUTBOUND_ALLOW of the server does not list it.`);
}

function createNoAddressError(name: string): OutboundError {
  return new OutboundError("connect", `${name} has no address.`);
}
