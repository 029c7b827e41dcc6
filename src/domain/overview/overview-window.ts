/** How far back an overview looks, by its length in PostgreSQL's words. */
export const OVERVIEW_WINDOWS = { last_hour: "1 hour", last_day: "1 day", last_week: "7 days" } as const;

/** How far back an overview looks. */
export type OverviewWindow = keyof typeof OVERVIEW_WINDOWS;
