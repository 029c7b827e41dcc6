import type { DocsHtml } from "../schema-fields.ts";

/** A text about what holds for many routes. `id` is its anchor. */
export type Guide = { id: string; title: string; body: DocsHtml };
