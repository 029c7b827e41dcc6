/** How far back an overview looks, as PostgreSQL intervals. */
export const OVERVIEW_WINDOWS = { last_hour: "1 hour", last_day: "1 day", last_week: "7 days" } as const;

export type OverviewWindow = keyof typeof OVERVIEW_WINDOWS;
