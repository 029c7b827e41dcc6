import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { JsonTree } from "../../../ui/json-tree/json-tree.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount, toWords } from "../../../ui/words.ts";
import { formatCost } from "../../../ui/format-cost.ts";
import { formatMicroseconds } from "../format-microseconds.ts";
import { SpanContent } from "./span-content.tsx";
import { SpanLinks } from "./span-links.tsx";
import type { ShownSpan } from "./span-query.ts";
import { listSubjects } from "./span-subjects.tsx";

export type SpanDetailsProps = {
  traceId: string;
  span: ShownSpan;
  /** Leads to its parent. */
  parent: ReactNode;
};

/** What is known of a span. */
export function SpanDetails({ traceId, span, parent }: SpanDetailsProps) {
  return (
    <>
      {span.status === "ERROR" && (
        <div className="in-line">
          <StatusChip status="FAILED" />
          {span.statusMessage !== null && <span>{toVisibleText(span.statusMessage, "\n\t")}</span>}
        </div>
      )}
      <Facts facts={listFacts(span, parent)} />
      <SpanContent traceId={traceId} spanId={span.spanId} />
      <Part title="Attributes" value={span.attributes} />
      <Part title="Events" value={span.events} />
      <SpanLinks links={span.links} />
      <Part title="Process" value={span.resource} />
    </>
  );
}

type Fact = readonly [name: string, value: ReactNode];

function listFacts(span: ShownSpan, parent: ReactNode): Fact[] {
  const { op, agentUuid, agent, startedAt, model, provider, toolName, scope } = span;
  return [
    ["Kind", op === "LLM" ? "model" : toWords(op)],
    [
      "Agent",
      <Link key="agent" href={`/agents/${agentUuid}`}>
        {agent === null ? "View agent" : toVisibleText(agent.name)}
      </Link>,
    ],
    ...listSubjects(span),
    ["Started", <TimeAgo key="started" at={startedAt} />],
    ["Took", formatTook(span)],
    ...createFact("Model", model),
    ...createFact("Provider", provider),
    ...createFact("Tool", toolName),
    ...listUsage(span),
    ...createFact("Library", scope),
    ["Parent", parent],
    ...createFact("Span ID", span.spanId),
    ...(span.dropped > 0 ? [["Left out", formatCount(span.dropped, "part")] as const] : []),
    ...(span.redactions > 0 ? [["Redacted", formatCount(span.redactions, "text")] as const] : []),
  ];
}

function formatTook({ status, durationMicroseconds }: ShownSpan): string {
  if (durationMicroseconds !== null) return formatMicroseconds(durationMicroseconds);
  return status === "LOST" ? "lost: the agent that sent it is offline" : "not ended yet";
}

const COST_SOURCES = { SENT: "as sent", PRICE: "by its price", NONE: "no price" } as const;

function listUsage({ inputTokens, cacheReadTokens, outputTokens, costUsd, costSource }: ShownSpan): Fact[] {
  if (costSource === null) return [];
  const cached =
    (cacheReadTokens ?? 0) > 0 ? ` (${formatCount(cacheReadTokens ?? 0, "cached", "cached")})` : "";
  return [
    ["Prompt", `${formatCount(inputTokens ?? 0, "token")}${cached}`],
    ["Answer", formatCount(outputTokens ?? 0, "token")],
    [
      "Cost",
      costUsd === null ? COST_SOURCES[costSource] : `${formatCost(costUsd)}, ${COST_SOURCES[costSource]}`,
    ],
  ];
}

/** A detail, omitted if it has no value. */
function createFact(name: string, value: string | null): Fact[] {
  return value === null ? [] : [[name, <Code key={name}>{value}</Code>]];
}

function Code({ children }: { children: string }) {
  return <code className="traces-id">{toVisibleText(children)}</code>;
}

function Part({ title, value }: { title: string; value: unknown }) {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return null;
  return (
    <section className="stack-s" aria-label={title}>
      <h3>{title}</h3>
      <JsonTree value={value} label={`${title} as a tree`} isPlain />
    </section>
  );
}
