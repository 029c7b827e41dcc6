/** Information about the client of a request. */
export type ClientInfo = { ip: string | null; userAgent: string | null; requestId: string | null };
