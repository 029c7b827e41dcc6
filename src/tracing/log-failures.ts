import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "pino";

/** Logs once that spans can't be sent, until they can be again. */
export function logFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const isFailed = result.error !== undefined;
        if (isFailed && !isFailing)
          log.warn({ err: result.error }, "the server's own traces can't be sent; spans are dropped");
        isFailing = isFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && {
      forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    }),
  };
}
