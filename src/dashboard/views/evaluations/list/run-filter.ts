export const RUN_STATUSES = ["QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELED"] as const;

/** Filters in the URL, with their defaults. */
export const RUNS_STATE = { suite: "", status: "" };

/** Converts the URL's filters to the GraphQL filter. */
export function toRunFilter({ suite, status }: Readonly<Record<keyof typeof RUNS_STATE, string>>) {
  return {
    suite: suite === "" ? null : suite,
    status: RUN_STATUSES.find((one) => one === status) ?? null,
  };
}
