/**
 * Tells the operator's metrics what a node has done. Names become labels, so they are the program's own and few: never a
 * workspace, a caller or anything that was sent.
 */
export type Measures = {
  /** A GraphQL operation of a client. `refused`: by a rule; `failed`: on our side. */
  operated: (type: string, outcome: "succeeded" | "refused" | "failed") => void;
  /** A run of a background job. */
  ran: (job: string, run: { isSuccess: boolean; seconds: number }) => void;
  /** Rows that a cleanup deleted. */
  deleted: (cleanup: string, rows: number) => void;
  /** An attempt to send an email. */
  emailed: (kind: string, outcome: "sent" | "failed") => void;
  /** A request to a webhook endpoint. */
  delivered: (outcome: string, seconds: number) => void;
  /** Spans, records and points that agents' telemetry sent. */
  ingested: (signal: string, items: { accepted: number; rejected: number; dropped: number }) => void;
};
