/** The expected result of a call with another workspace's ids: an error code, null, or `own` for the caller's rows. */
export type CallOutcome = string | null;

/** A call of a GraphQL root field. With `forPeople`, bearers are rejected, and this is the result for users. */
export type FieldCall = { args: Record<string, unknown>; outcome: CallOutcome; forPeople?: true };

/** A call of a route. */
export type RouteCall = { path: string; body?: unknown; status: number };
