import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { append } from "../../kernel/events.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { requireSudo } from "../../kernel/guard.ts";
import { parseInput } from "../../kernel/input.ts";
import { type ExportedSpan, SPAN_BATCH, readExportedSpans } from "../export/read-exported-spans.ts";
import { toPosition } from "../export/to-position.ts";
import { parseSearchCursor, writeSearchCursor } from "../search/search-position.ts";
import { storeInTraces } from "../store-in-traces.ts";
import { remapSpans } from "./remap-spans.ts";

const shape = z
  .object({ from: z.date(), until: z.date(), after: z.string().nullish() })
  .superRefine(({ from, until }, context) => {
    if (from < until) return;
    context.addIssue({ code: "custom", path: ["until"], message: "must be after from" });
  });

/** How many spans were read again, and where to go on. Null after the last one. */
export type Remapped = { spans: number; endCursor: string | null };

/** The most spans of one call. */
const MOST_SPANS = 500;

/**
 * Reads again what spans of traces that began to arrive in a time are about, from their stored attributes, as if their
 * senders had sent them again: for senders whose attributes this version knows better than the one that stored them.
 * What calls used is charged as of now, and never falls. Reads some spans at a time, oldest traces first.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed.
 */
export async function remapTraces(ctx: Ctx, input: z.input<typeof shape>): Promise<Remapped> {
  requireSudo(ctx, "admin");
  const { from, until, after } = parseInput(shape, input);
  let position = typeof after === "string" ? parseSearchCursor(after) : null;
  let spans = 0;
  while (spans < MOST_SPANS) {
    const read = await readExportedSpans(ctx, { from, until, after: position, content: false });
    for (const [senderId, sent] of groupBy(read, (span) => span.senderId)) {
      // The service's own are as it wrote them.
      if (senderId !== null) await storeAgain(ctx, senderId, sent);
    }
    spans += read.length;
    if (read.length < SPAN_BATCH) return { spans, endCursor: null };
    position = toPosition(read.at(-1));
  }
  return { spans, endCursor: position && writeSearchCursor(position) };
}

async function storeAgain(ctx: Ctx, senderId: string, sent: readonly ExportedSpan[]): Promise<void> {
  const spans = await remapSpans(ctx, sent);
  const { turned } = await ctx.transaction(async (tx) => {
    const stored = await storeInTraces(tx, { spans, senderId, days: new Set() });
    const type = "workspace.traces_remapped";
    const { workspaceId } = ctx;
    append(tx, {
      events: [{ type, subjectType: "workspace", subjectId: workspaceId, data: { spans: spans.length } }],
      audit: [
        {
          action: type,
          targetType: "workspace",
          targetId: workspaceId,
          changes: { agent_id: senderId, spans: spans.length },
        },
      ],
    });
    return stored;
  });
  ctx.services.traceTurns.note(ctx.workspaceId, turned);
}
