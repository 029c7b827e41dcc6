import { GraphQLError } from "graphql";
import { type TelemetryReceipt, ingestTelemetry } from "../../domain/traces/ingest-telemetry.ts";
import type { TelemetrySource } from "../../domain/traces/telemetry.ts";
import { builder } from "../builder.ts";

builder.scalarType("OtlpBatch", {
  description: "The body of an OTLP request. It exists only within the server: POST it to `/v1/traces`.",
  serialize: (value) => value,
  parseValue: (value) => {
    if (isSource(value)) return value;
    throw new GraphQLError("Telemetry can't be sent by GraphQL. POST it to /v1/traces.");
  },
  parseLiteral: () => {
    throw new GraphQLError("Telemetry can't be sent by GraphQL. POST it to /v1/traces.");
  },
});

/** No client's JSON contains a function. */
function isSource(value: unknown): value is TelemetrySource {
  return typeof value === "object" && value !== null && "read" in value && typeof value.read === "function";
}

const Receipt = builder.objectRef<TelemetryReceipt>("TelemetryReceipt").implement({
  description: "What became of the spans, or records of logs, of a request.",
  fields: (t) => ({
    accepted: t.exposeInt("accepted", { description: "Those that are stored." }),
    rejected: t.exposeInt("rejected", { description: "Those that can't be stored." }),
    dropped: t.exposeInt("dropped", { description: "Records that say nothing of an agent's work." }),
    message: t.exposeString("message", {
      nullable: true,
      description: "Why the first of those that can't. Null if there are none.",
    }),
  }),
});

builder.relayMutationField(
  "ingestTelemetry",
  { inputFields: (t) => ({ batch: t.field({ type: "OtlpBatch", required: true }) }) },
  {
    description:
      "Stores the spans of an OTLP request, or what its logs say of agents' work. Needs `traces:write`.",
    resolve: async (_root, { input: { batch } }, ctx) => ({ receipt: await ingestTelemetry(ctx, batch) }),
  },
  { outputFields: (t) => ({ receipt: t.field({ type: Receipt, resolve: ({ receipt }) => receipt }) }) },
);
