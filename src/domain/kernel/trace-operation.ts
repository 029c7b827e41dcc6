/** Runs a GraphQL operation within a span of the server's own traces. `name`: null for one without. */
export type TraceOperation = <Result>(
  operation: { type: string; name: string | null },
  run: () => Promise<Result>,
) => Promise<Result>;
