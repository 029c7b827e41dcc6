/** The statuses of runs. */
export const RUN_STATUSES = ["QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELED"] as const;

/** What the address keeps of the list. */
export const RUNS_STATE = { suite: "", status: "" };

/** The filter that the address asks for. */
export function toRunFilter({ suite, status }: Readonly<Record<keyof typeof RUNS_STATE, string>>) {
  return {
    suite: suite === "" ? null : suite,
    status: RUN_STATUSES.find((one) => one === status) ?? null,
  };
}
