/** What a request shows of whoever sends it. */
export type ClientInfo = { ip: string | null; userAgent: string | null; requestId: string | null };
