/** An email with the same content as plain text and as HTML, and headers besides the usual ones. */
export type RenderedEmail = { subject: string; text: string; html: string; headers: Record<string, string> };
