/** A kind of work that agents of the demo do, and the words for all that can become of it. */
export type JobProfile = {
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
  jobs: readonly JobTemplate[];
  /** Said while it works. */
  doing: readonly string[];
  /** At least one fits every job. */
  failures: readonly JobFailure[];
};

/** One job of a trade: what it is called, what is told with it, what is said when it is done, and what may be asked. */
export type JobTemplate = { title: string; brief: string; result: string; question?: JobQuestion };

/** Why work of a trade can fail. */
export type JobFailure = { code: string; message: string; retryable: boolean };

/** What an agent may have to ask, and what people say then. */
export type JobQuestion = { question: string; answer: string };
