/** A letter as it is read: the same words as plain text and as HTML. */
export type RenderedEmail = { subject: string; text: string; html: string };
