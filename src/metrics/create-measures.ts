import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Measures } from "../domain/kernel/measures.ts";

const JOB_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60];
const DELIVERY_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Creates the metrics of background work: jobs, cleanups, emails, webhooks and telemetry that comes in. */
export function createMeasures(registry: Registry): Measures {
  return {
    ...createOperationMeasures(registry),
    ...createJobMeasures(registry),
    ...createSendingMeasures(registry),
  };
}

function createOperationMeasures(registry: Registry): Pick<Measures, "operated"> {
  const operations = new Counter({
    name: "agent_ops_graphql_operations_total",
    help: "GraphQL operations of clients, over HTTP and sockets. Of subscriptions each answer counts.",
    labelNames: ["type", "outcome"] as const,
    registers: [registry],
  });
  return { operated: (type, outcome) => operations.inc({ type, outcome }) };
}

function createJobMeasures(registry: Registry): Pick<Measures, "ran" | "deleted"> {
  const duration = new Histogram({
    name: "agent_ops_job_duration_seconds",
    help: "Duration of runs of background jobs.",
    labelNames: ["name", "outcome"] as const,
    buckets: JOB_SECONDS,
    registers: [registry],
  });
  const succeeded = new Gauge({
    name: "agent_ops_job_last_success_timestamp_seconds",
    help: "When a background job last ended without an error on this node.",
    labelNames: ["name"] as const,
    registers: [registry],
  });
  const rows = new Counter({
    name: "agent_ops_cleanup_deleted_rows_total",
    help: "Rows that cleanups have deleted.",
    labelNames: ["cleanup"] as const,
    registers: [registry],
  });
  return {
    ran: (name, { isSuccess, seconds }) => {
      duration.observe({ name, outcome: isSuccess ? "succeeded" : "failed" }, seconds);
      if (isSuccess) succeeded.set({ name }, Date.now() / 1000);
    },
    deleted: (cleanup, count) => rows.inc({ cleanup }, count),
  };
}

function createSendingMeasures(registry: Registry): Pick<Measures, "emailed" | "delivered" | "ingested"> {
  const emails = new Counter({
    name: "agent_ops_emails_total",
    help: "Attempts to send emails. Failed ones are retried.",
    labelNames: ["kind", "outcome"] as const,
    registers: [registry],
  });
  const deliveries = new Histogram({
    name: "agent_ops_webhook_attempt_duration_seconds",
    help: "Duration of requests to webhook endpoints. Failed ones are retried.",
    labelNames: ["outcome"] as const,
    buckets: DELIVERY_SECONDS,
    registers: [registry],
  });
  const items = new Counter({
    name: "agent_ops_ingested_items_total",
    help: "Spans, log records and points of metrics that were sent.",
    labelNames: ["signal", "outcome"] as const,
    registers: [registry],
  });
  return {
    emailed: (kind, outcome) => emails.inc({ kind, outcome }),
    delivered: (outcome, seconds) => deliveries.observe({ outcome }, seconds),
    ingested: (signal, counts) => {
      for (const [outcome, count] of Object.entries(counts)) items.inc({ signal, outcome }, count);
    },
  };
}
