import type { Call } from "./call.ts";
import type { Era } from "./read-era.ts";

/** What a method answers, without what the era adds to it. */
export type Result = Record<string, unknown>;

/** An answer of several messages. */
export type EventStream = {
  /** Sends a message, or null for a sign of life. */
  send: (message: object | null) => void;
  /** Waits until the client has taken what was sent before. */
  untilRead: () => Promise<void>;
};

/** A method of the protocol. */
export type Method = {
  /** The stream is null if the answer is one text. */
  run: (call: Call, stream: EventStream | null) => Promise<Result> | Result;
  /** How many seconds it may take because the caller asked it to wait. Default: 0. */
  getWaitSeconds?: (call: Call) => number;
  /** Whether it sends messages until its client has enough. */
  isSubscription?: boolean;
  /** How long clients may keep the answer; none for what is no list or text to keep. */
  ttlMs?: number;
};

/** The methods of each era, by name. */
export type Methods = Record<Era["name"], ReadonlyMap<string, Method>>;
