import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { requireRole, requireScope } from "../../kernel/guard.ts";
import { parseInput } from "../../kernel/input.ts";
import { countReadBytes } from "../../kernel/read-bytes.ts";
import { type Steps, createTurns } from "../../kernel/turns.ts";
import { auditContentRead } from "../audit-content-read.ts";
import { parseSearchCursor, writeSearchCursor } from "../search/search-position.ts";
import { type ExportedSpan, SPAN_BATCH, readExportedSpans } from "./read-exported-spans.ts";
import { toPosition } from "./to-position.ts";
import { type WrittenSpan, writeLines, writeSpan } from "./write-lines.ts";

/** A page of an export. */
export type TraceExport = {
  /** An ExportTraceServiceRequest each, as JSON. */
  lines: string[];
  /** `after` of the next page; null on the last one. */
  next: string | null;
};

/** What ends a page: so many characters or spans. A trace with more of either has several lines. */
export const EXPORT_PAGE = { characters: 4_194_304, spans: 1000 } as const;

/** Workspaces take turns: a page may have megabytes. */
const { run: takeTurn } = createTurns();

const shape = z.object({
  from: z.date().nullish(),
  until: z.date().nullish(),
  content: z.boolean().nullish(),
  after: z.string().nullish(),
});

/**
 * Exports traces as OpenTelemetry requests, those first that began to arrive first: one line for each.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; forbidden, with content, for people below operator;
 *   validation_failed.
 */
export async function exportTraces(ctx: Ctx, input: z.input<typeof shape>): Promise<TraceExport> {
  requireScope(ctx, "traces:read");
  const { from = null, until = null, content, after } = parseInput(shape, input);
  if (content === true && ctx.actor.type === "user") requireRole(ctx, "operator");
  const selection = { from, until, content: content === true };
  const page: Page = { spans: [], characters: 0 };
  let position = typeof after === "string" ? parseSearchCursor(after) : null;
  for (;;) {
    const spans = await readExportedSpans(ctx, { ...selection, after: position });
    const isFull = await takeTurn(ctx.workspaceId, addSpans(page, spans));
    const isEnd = !isFull && spans.length < SPAN_BATCH;
    if (isFull || isEnd) countReadBytes(ctx, page.characters);
    if (isFull || isEnd) {
      if (selection.content) await auditExport(ctx, { from, until, spans: page.spans.length });
      return isFull ? endPage(page) : { lines: writeLines(page.spans), next: null };
    }
    position = toPosition(spans.at(-1));
  }
}

type Exported = { from: Date | null; until: Date | null; spans: number };

async function auditExport(ctx: Ctx, { from, until, spans }: Exported): Promise<void> {
  await auditContentRead(ctx, {
    action: "workspace.content_exported",
    targetType: "workspace",
    targetId: ctx.workspaceId,
    changes: { from: from?.toISOString() ?? null, until: until?.toISOString() ?? null, spans },
  });
}

type Page = { spans: WrittenSpan[]; characters: number };

/** Adds spans, each in a step, until the page is full. */
function* addSpans(page: Page, spans: readonly ExportedSpan[]): Steps<boolean> {
  for (const span of spans) {
    const written = writeSpan(span, page.spans.at(-1));
    page.spans.push(written);
    page.characters += written.characters;
    if (page.characters >= EXPORT_PAGE.characters || page.spans.length >= EXPORT_PAGE.spans) return true;
    yield;
  }
  return false;
}

/** Leaves the last trace to the next page, if there are others: it may have more spans. */
function endPage({ spans }: Page): TraceExport {
  const last = spans.at(-1)?.traceId;
  const whole = spans.filter(({ traceId }) => traceId !== last);
  const shown = whole.length === 0 ? spans : whole;
  return { lines: writeLines(shown), next: writeSearchCursor(toPosition(shown.at(-1))) };
}
