/** Runs a statement within a span of the server's own traces. Values are never told. */
export type TraceStatement = <Result>(
  statement: { name?: string | undefined; text: string },
  run: () => Promise<Result>,
) => Promise<Result>;
