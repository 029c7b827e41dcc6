import { type TraceSpans, streamTraceSpans } from "../../domain/traces/stream-trace-spans.ts";
import { type TraceUpdate, streamTraceUpdates } from "../../domain/traces/stream-trace-updates.ts";
import { toTraceId } from "../../domain/traces/trace-ids.ts";
import { abortOnReturn } from "../abort-on-return.ts";
import { builder } from "../builder.ts";
import { TraceStatusEnum } from "./trace.ts";

const Update = builder.interfaceRef<TraceUpdate>("TraceStanding").implement({
  description: "Where a trace stands.",
  fields: (t) => ({
    traceId: t.string({ description: "32 hexadecimal digits.", resolve: ({ id }) => toTraceId(id) }),
    status: t.expose("status", { type: TraceStatusEnum }),
    generation: t.exposeInt("generation", { description: "Grows with each request with spans of it." }),
    startedAt: t.expose("startedAt", { type: "DateTime", description: "When its first span began." }),
    spanCount: t.exposeInt("spanCount"),
    openCount: t.exposeInt("openCount", { description: "Spans that have not ended." }),
    errorCount: t.exposeInt("errorCount"),
  }),
});

const TraceUpdateType = builder.objectRef<TraceUpdate>("TraceUpdate").implement({
  description: "Where a trace stands.",
  interfaces: [Update],
});

const TraceSpansType = builder.objectRef<TraceSpans>("TraceSpans").implement({
  description: "Where a trace stands, and its spans that came since the frame before.",
  interfaces: [Update],
  fields: (t) => ({
    spans: t.expose("spans", {
      type: "TraceSkeleton",
      nullable: true,
      description:
        "Null if they are more than 500, or if it is not known which ones they are: then read the trace's `skeleton`.",
    }),
  }),
});

builder.subscriptionField("traceUpdates", (t) =>
  t.field({
    type: TraceUpdateType,
    description:
      "Where a trace stands: first now, then after spans of it came, at most twice a second. Nothing is replayed: a " +
      "slow client gets the latest state only.",
    args: { traceId: t.arg.string({ required: true, description: "32 hexadecimal digits." }) },
    subscribe: async (_root, { traceId }, ctx) => {
      const ended = new AbortController();
      return abortOnReturn(await streamTraceUpdates(ctx, { traceId }, ended.signal), ended);
    },
    resolve: (update) => update,
  }),
);

builder.subscriptionField("traceSpans", (t) =>
  t.field({
    type: TraceSpansType,
    description:
      "The spans of a trace that come, or come again, at most twice a second: those that a client has under the same " +
      "ids are replaced, and those it has are of no use if `startedAt` differs. Nothing is replayed. After a " +
      "reconnect, go on after the `generation` of the last frame.",
    args: {
      traceId: t.arg.string({ required: true, description: "32 hexadecimal digits." }),
      after: t.arg.int({
        description: "Only spans that came after this generation. Without it, the first frame has none.",
      }),
    },
    subscribe: async (_root, { traceId, after }, ctx) => {
      const ended = new AbortController();
      return abortOnReturn(await streamTraceSpans(ctx, { traceId, after }, ended.signal), ended);
    },
    resolve: (update) => update,
  }),
);
