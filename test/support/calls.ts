/** What a call with another workspace's ids must come to: a refusal's code, null, or `own` for the caller's rows. */
export type CallOutcome = string | null;

/** A call of a GraphQL root field; one `forPeople` is refused to every bearer, and comes to this for people. */
export type FieldCall = { args: Record<string, unknown>; outcome: CallOutcome; forPeople?: true };

/** A call of a route. */
export type RouteCall = { path: string; body?: unknown; status: number };
