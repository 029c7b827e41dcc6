import type { Ctx } from "../../src/domain/kernel/context.ts";

/** A call of an operation, whatever the binding. */
export type Call = {
  ctx: Ctx;
  /** Our own URL, without a trailing slash. */
  baseUrl: string;
  /** The request message, as JSON. */
  input: Record<string, unknown>;
};

/** Sends what has changed. Waits until the client has taken it. Null is a sign of life. */
export type SendUpdate = (update: object | null) => Promise<void>;

/** A stream that can begin: its first message, and what follows. */
export type Updates = { first: object; follow: (send: SendUpdate) => Promise<void> };

/** An operation of the protocol. */
export type Operation =
  | {
      kind: "answer";
      run: (call: Call) => Promise<object>;
      /** The longest that it waits, in seconds. */
      waitSeconds: number;
    }
  | { kind: "stream"; begin: (call: Call) => Promise<Updates> };
