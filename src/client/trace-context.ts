import { AsyncLocalStorage } from "node:async_hooks";

/** Where work is in a trace. */
export type TraceContext = {
  /** The W3C traceparent that spans of the work begin within. Requests of the client carry it by themselves. */
  traceparent: string;
  /** The same for the environment of child processes, which OpenTelemetry's SDKs and coding agents read. */
  env: { TRACEPARENT: string };
};

const current = new AsyncLocalStorage<string>();

/** Builds what handlers are told of their trace. */
export function toTraceContext(traceparent: string): TraceContext {
  return { traceparent, env: { TRACEPARENT: traceparent } };
}

/** Runs work whose requests carry a traceparent. */
export function runWithin<Result>(traceparent: string, work: () => Result): Result {
  return current.run(traceparent, work);
}

/** Returns the header of requests: none outside of a handler. */
export function getTraceHeader(): { traceparent?: string } {
  const traceparent = current.getStore();
  return traceparent === undefined ? {} : { traceparent };
}
