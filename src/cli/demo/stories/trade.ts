/** A kind of work that agents of the demo do, and the words for all that can become of it. */
export type Trade = {
  queue: string;
  /** How much of all work it is, against the others. */
  weight: number;
  /** Who does it, by handle. */
  workers: readonly string[];
  /** Who asks for it beside people, by handle. */
  askers: readonly string[];
  /** How long it takes: mostly nearer to the first. */
  minutes: readonly [number, number];
  labels: Readonly<Record<string, string>>;
  titles: readonly string[];
  briefs: readonly string[];
  /** Said while it works. */
  doing: readonly string[];
  /** Said of work that is done. */
  results: readonly string[];
  failures: readonly TradeFailure[];
  questions: readonly TradeQuestion[];
};

/** Why work of a trade can fail. */
export type TradeFailure = { code: string; message: string; retryable: boolean };

/** What an agent may have to ask, and what people say then. */
export type TradeQuestion = { question: string; answer: string };
