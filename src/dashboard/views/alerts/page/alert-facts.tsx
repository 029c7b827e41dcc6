import type { ReactNode } from "react";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatDuration } from "../../../ui/words.ts";
import type { ShownAlert } from "../alert-fields.ts";
import { METRICS } from "../alert-metrics.ts";
import { describeThreshold, describeWatched } from "../words/describe-watched.ts";

/** A rule, and who wrote it. */
export function AlertFacts({ rule }: { rule: ShownAlert }) {
  const { metric, windowSeconds, cooldownSeconds, enabled, generation } = rule;
  const maySeeHistory = useIsAtLeast("ADMIN");
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ["Metric", METRICS[metric].label],
    ["Of", describeWatched(rule)],
    ...(windowSeconds === null ? [] : [["Over the last", formatDuration(windowSeconds)] as const]),
    ["Fires above", describeThreshold(rule)],
    ["Cooldown", formatDuration(cooldownSeconds)],
    ["Last fired", rule.firedAt === null ? "never" : <TimeAgo key="fired" at={rule.firedAt} />],
    ...(rule.resolvedAt === null
      ? []
      : [["Resolved", <TimeAgo key="resolved" at={rule.resolvedAt} />] as const]),
    ["Enabled", enabled ? "Yes" : "No: it never fires"],
    ["Version", String(generation)],
    ["Created", <When key="created" at={rule.createdAt} by={rule.createdBy.name} />],
    ["Changed", <When key="changed" at={rule.updatedAt} by={rule.updatedBy.name} />],
    ...(maySeeHistory ? [["History", <History key="history" uuid={rule.uuid} />] as const] : []),
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

function When({ at, by }: { at: string; by: string }) {
  return (
    <>
      <TimeAgo at={at} /> by {by}
    </>
  );
}

function History({ uuid }: { uuid: string }) {
  return <a href={`/settings/audit?target=${uuid}`}>Changes in the audit log</a>;
}
