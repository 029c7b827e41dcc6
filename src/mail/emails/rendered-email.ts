/** An email with the same content as plain text and as HTML. */
export type RenderedEmail = { subject: string; text: string; html: string };
