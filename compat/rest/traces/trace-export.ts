import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { bearerOrSession, linesResponse, problems } from "../shared/responses.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { newDateTime, omitUndefined } from "../shared/shapes.ts";
import { streamChunks } from "../shared/stream-chunks.ts";
import { flag } from "./trace-shape.ts";

const route = createRoute({
  method: "get",
  path: "/operator/traces/export",
  tags: ["Traces"],
  summary: "Export traces as OpenTelemetry requests, those first that began to arrive first",
  security: bearerOrSession("traces:read"),
  request: {
    query: z.strictObject({
      from: newDateTime
        .optional()
        .openapi({ description: "Only traces that began to arrive then or later." }),
      to: newDateTime.optional().openapi({ description: "Only traces that began to arrive earlier." }),
      content: flag.openapi({ description: "Whether to export prompts, answers and arguments too." }),
    }),
  },
  responses: {
    200: linesResponse(
      "An ExportTraceServiceRequest in JSON on each line, of one trace. A large trace has several",
    ),
    ...problems("invalid_parameter", 401, 403, 422),
  },
});

const ExportTraces = graphql(`
  query ExportTraces($from: DateTime, $until: DateTime, $content: Boolean, $after: String) {
    traceExport(from: $from, until: $until, content: $content, after: $after) {
      lines
      next
    }
  }
`);

/**
 * The route to export traces. A page is read, as the caller with the rights of that moment, when the client has taken
 * the one before it.
 */
export function traceExportRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRoute(services, { scope: "traces:read", session: true });
  app.openapi({ ...route, middleware }, async (c) => {
    const { from, to, content } = c.req.valid("query");
    const asked = omitUndefined({ from, until: to, content: content === "true" });
    async function readPage(after: string | null) {
      const { traceExport } = await execute(getCtx(c), ExportTraces, { ...asked, after });
      return traceExport;
    }
    const first = await readPage(null);
    return c.body(streamChunks(c, writePages(first, readPage)), 200, {
      "content-type": "application/x-ndjson",
    });
  });
  return app;
}

type Page = { lines: string[]; next: string | null };

async function* writePages(
  first: Page,
  readPage: (after: string) => Promise<Page>,
): AsyncGenerator<Uint8Array, void> {
  yield writePage(first);
  for (let { next } = first; next !== null;) {
    const page = await readPage(next);
    yield writePage(page);
    ({ next } = page);
  }
}

function writePage({ lines }: Page): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}
