/** What a request shows of whoever sends it. */
export type Seen = { ip: string | null; userAgent: string | null; requestId: string | null };
