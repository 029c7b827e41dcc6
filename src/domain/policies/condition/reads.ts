import type { Price } from "./allowances.ts";

/** What an admitted expression reads. */
export type Reads = {
  /** The paths that it reads, such as `args.amount`, without iteration variables. */
  paths: Set<string>;
  /** The members of the request's context that it reads; null for all. */
  contextMembers: Set<string> | null;
  /** The paths that it looks for with `has`. */
  guarded: Set<string>;
  /** Where it does so in what the caller sent: the call's place, and the path of the object. */
  memberTests: { start: number; end: number; object: string; member: string }[];
  /** Where it changes or trims texts: the end of the call, and the function's name. */
  textChanges: { end: number; name: string }[];
  /** Whether its cost depends on how many elements the request has. */
  readsElements: boolean;
  price: Price;
};

export function createReads(): Reads {
  return {
    paths: new Set(),
    contextMembers: new Set(),
    guarded: new Set(),
    memberTests: [],
    textChanges: [],
    readsElements: false,
    price: { fixed: 0, perElement: 0, perByte: 0, perSquareByte: 0 },
  };
}

/** Notes that a member of the request's context is read, or with null all of it. */
export function noteContextMember(reads: Reads, member: string | null): void {
  if (member === null) reads.contextMembers = null;
  else reads.contextMembers?.add(member);
}
