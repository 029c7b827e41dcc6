import { Link } from "wouter";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { countWaitingTools } from "../../../data/use-waiting-mcp-servers.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount } from "../../../ui/words.ts";
import type { ShownServer } from "../server-fields.ts";
import { ToolChip } from "./tool-chip.tsx";
import { TOOL_FRESHNESS, WaitingMcpTools } from "./tool-fields.ts";

/** As many of each kind are listed. */
const LISTED = 20;

/** The tools that nobody can call before an admin has reviewed them. */
export function WaitingTools({ server }: { server: ShownServer }) {
  const mayReview = useIsAtLeast("ADMIN");
  const variables = { serverId: server.id, first: LISTED };
  const { data, problem, refresh } = useLiveQuery(WaitingMcpTools, variables, TOOL_FRESHNESS);
  const nodes = [...(data?.changed.nodes ?? []), ...(data?.pending.nodes ?? [])];
  const count = countWaitingTools(server);
  const more = data === null ? 0 : count - nodes.length;
  return (
    <section className="card stack-m mcp-waiting" aria-labelledby="mcp-waiting">
      <div className="row-between">
        <h2 id="mcp-waiting">Waiting for review</h2>
        {mayReview && (
          <Link className="button button-primary" href={`/mcp-servers/${server.uuid}/review`}>
            Review {count === 1 ? "it" : `these ${count}`}
          </Link>
        )}
      </div>
      <p className="soft">
        {count === 1 ? "Nobody can call it" : "Nobody can call them"} until an admin has read and approved{" "}
        {count === 1 ? "its definition" : "their definitions"}.
      </p>
      <ErrorNote problem={problem} onRetry={refresh} />
      <ul className="stack-s" aria-label="Tools to review">
        {nodes.map(({ uuid, name, status }) => (
          <li key={uuid} className="in-line">
            <Link href={`/mcp-servers/${server.uuid}/tools/${uuid}`}>{toVisibleText(name)}</Link>
            <ToolChip status={status} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small soft">and {formatCount(more, "more", "more")}</p>}
    </section>
  );
}
