import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "pino";
import type { TracingConfig } from "../config/tracing-config.ts";
import { readVersion } from "../config/version.ts";
import type { TraceStatement } from "../db/trace-statement.ts";
import type { TraceOperation } from "../domain/kernel/trace-operation.ts";
import type { TraceRequest } from "../http/trace-request.ts";
import { createSampler } from "./create-sampler.ts";
import { describeStatement } from "./describe-statement.ts";
import { logFailures } from "./log-failures.ts";
import { traceRequests } from "./trace-requests.ts";

/** The server's own traces. Spans are kept in a bounded queue: requests never wait for them. */
export type Tracing = {
  request: TraceRequest;
  operation: TraceOperation;
  statement: TraceStatement;
  /** Sends what has ended, for two seconds at most. */
  flush: () => Promise<void>;
  /** Sends what is left, for two seconds at most, and ends. */
  stop: () => Promise<void>;
};

/** Runs work as a child of the current span; without one, it is not traced. */
export type InSpan = <Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<Result>,
) => Promise<Result>;

const STOP_MS = 2000;
const NAME_LENGTH = 100;

/**
 * Starts OpenTelemetry's own SDK. Nothing is registered globally, so a process may have several. Imported only if traces
 * are wanted.
 */
export function startTracing(config: TracingConfig, log: Logger): Tracing {
  const { endpoint, headers, serviceName } = config;
  const version = readVersion();
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
    sampler: createSampler(config),
    spanProcessors: [new BatchSpanProcessor(logFailures(exporter, log))],
  });
  const tracer = provider.getTracer("agent-ops", version);
  const current = new AsyncLocalStorage<Span>();
  const inSpan = createInSpan(tracer, current);
  return {
    request: traceRequests(tracer, current),
    operation: ({ type, name }, run) =>
      inSpan(
        type,
        {
          attributes: {
            "graphql.operation.type": type,
            ...(name !== null && { "graphql.operation.name": name.slice(0, NAME_LENGTH) }),
          },
        },
        run,
      ),
    statement: (statement, run) => {
      if (current.getStore()?.isRecording() !== true) return run();
      const { summary, attributes } = describeStatement(statement);
      return inSpan(summary, { kind: SpanKind.CLIENT, attributes }, run);
    },
    flush: () => inTime(provider.forceFlush()),
    stop: () => inTime(provider.shutdown()),
  };
}

function createInSpan(tracer: Tracer, current: AsyncLocalStorage<Span>): InSpan {
  return async (name, options, work) => {
    const parent = current.getStore();
    if (parent?.isRecording() !== true) return work(null);
    const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
    try {
      return await current.run(span, () => work(span));
    } catch (error) {
      span.setAttribute("error.type", nameError(error));
      // Without a message, which may have what a caller sent.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
}

/** The error's code, such as an SQLSTATE, or its class. */
function nameError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (typeof code === "string") return code;
  return error instanceof Error ? error.name : "unknown";
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_MS)));
  try {
    await Promise.race([work.catch(() => {}), late]);
  } finally {
    clearTimeout(timer);
  }
}
