/** Why a request to another server failed. */
export type OutboundReason =
  /** The URL may not be requested. */
  | "url"
  /** The address may not be reached. */
  | "address"
  /** No connection. */
  | "connect"
  /** A time limit. */
  | "timeout"
  /** The answer is too large. */
  | "too large"
  /** The answer is not HTTP that can be read, or the connection ended within it. */
  | "broken"
  /** The caller gave up. */
  | "aborted";

/** A request to another server that has no whole answer. The message is for whoever entered the URL. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  /** Whether the other server may have received the request. */
  readonly isSent: boolean;

  constructor(reason: OutboundReason, message: string, isSent = false) {
    super(message);
    this.name = "OutboundError";
    this.reason = reason;
    this.isSent = isSent;
  }
}
