import { type Html, html } from "../../html.ts";
import { time } from "../../parts/time.ts";

/** A quota as GraphQL has it. */
export type ShownQuota = { name: string; limit: number | null; used: number; measuredAt: string | null };

const LABELS: Record<string, string> = {
  AGENTS: "Agents",
  TASKS_PER_DAY: "New tasks today (UTC)",
  EVENTS_PER_SECOND: "Events in this second",
  STORAGE_BYTES: "Storage",
};

/** What the workspace uses of its quotas. Who runs the service sets them. */
export function quotasCard(quotas: readonly ShownQuota[]): Html {
  return html`<section class="card">
    <div class="card-head">
      <h2>Quotas</h2>
      <p class="soft">Set by who runs the service.</p>
    </div>
    <dl class="facts">
      ${quotas.map(
        (quota) =>
          html`<dt>${LABELS[quota.name] ?? quota.name}</dt>
            <dd>${describe(quota)}</dd>`,
      )}
    </dl>
  </section>`;
}

function describe({ name, limit, used, measuredAt }: ShownQuota): Html {
  const format = name === "STORAGE_BYTES" ? formatBytes : formatCount;
  const text = `${format(used)} ${limit === null ? "(no limit)" : `of ${format(limit)}`}`;
  return measuredAt === null ? html`${text}` : html`${text}, measured ${time(measuredAt)}`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1_048_576).toLocaleString("en", { maximumFractionDigits: 1 })} MiB`;
}
