/** A span of OpenTelemetry's SDK, as far as it is looked at. */
export type StartedSpan = { spanContext: () => { traceFlags: number } };

/** An exporter of OpenTelemetry's SDK. */
export type SpanExporter<Span> = {
  export: (spans: Span[], done: (result: { code: number; error?: Error }) => void) => void;
  shutdown: () => Promise<void>;
  forceFlush?: () => Promise<void>;
};

/** A span processor of OpenTelemetry's SDK, for spans that are longer than a second. */
export type OpenSpanProcessor = {
  onStart: (span: StartedSpan) => void;
  onEnd: (span: StartedSpan) => void;
  forceFlush: () => Promise<void>;
  shutdown: () => Promise<void>;
};

/** Shorter spans are sent only when they have ended. */
const OPEN_AFTER_MS = 1000;
const SAMPLED = 1;

/**
 * Creates a span processor that sends spans which have not ended after a second, so that they are seen while they last.
 * Use it beside the processor that sends them when they have ended, with an exporter of its own.
 *
 * @param exporter such as OpenTelemetry's `OTLPTraceExporter`.
 */
export function createOpenSpanProcessor<Span extends StartedSpan>(
  exporter: SpanExporter<Span>,
): OpenSpanProcessor {
  const started = new Set<StartedSpan>();
  let timer: NodeJS.Timeout | null = null;
  let waiting = new Set<StartedSpan>();

  /** Sends those that have lasted for at least one whole turn of the timer. What fails is sent when it has ended. */
  function turn(): void {
    const old = [...waiting].filter((span) => started.delete(span));
    waiting = new Set(started);
    timer = null;
    // They are of the SDK that calls this processor and the exporter.
    if (old.length > 0) exporter.export(old as Span[], () => {});
    schedule();
  }

  function schedule(): void {
    if (started.size > 0) timer ??= setTimeout(turn, OPEN_AFTER_MS).unref();
  }

  return {
    onStart: (span) => {
      if ((span.spanContext().traceFlags & SAMPLED) === 0) return;
      started.add(span);
      schedule();
    },
    onEnd: (span) => void started.delete(span),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: async () => {
      if (timer !== null) clearTimeout(timer);
      started.clear();
      await exporter.shutdown();
    },
  };
}
