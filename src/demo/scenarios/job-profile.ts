/** A kind of work of the demo's agents, with texts for all outcomes. */
export type JobProfile = {
  queue: string;
  /** Its share of all work, relative to the other profiles. */
  weight: number;
  /** The handles of the agents that do it. */
  workers: readonly string[];
  /** The handles of the agents that create such tasks, besides people. */
  askers: readonly string[];
  /** The range of its duration. Most are closer to the first. */
  minutes: readonly [number, number];
  labels: Readonly<Record<string, string>>;
  jobs: readonly JobTemplate[];
  /** Progress messages. */
  doing: readonly string[];
  /** At least one fits every job. */
  failures: readonly JobFailure[];
};

/** A job: its title, brief, result and, possibly, a question. */
export type JobTemplate = { title: string; brief: string; result: string; question?: JobQuestion };

export type JobFailure = { code: string; message: string; retryable: boolean };

/** A question of an agent, and a person's answer. */
export type JobQuestion = { question: string; answer: string };
