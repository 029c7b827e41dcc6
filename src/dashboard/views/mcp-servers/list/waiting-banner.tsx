import { Link } from "wouter";
import { countWaitingTools } from "../../../data/use-waiting-mcp-servers.ts";
import { describeWaiting } from "../describe-waiting.ts";
import type { ShownServer } from "../server-fields.ts";

/** Says which servers have tools that wait for a review. Renders nothing for none. */
export function WaitingBanner({ servers }: { servers: readonly ShownServer[] }) {
  const waiting = servers.filter((server) => countWaitingTools(server) > 0);
  if (waiting.length === 0) return null;
  return (
    <section className="notice notice-warn" aria-label="Waiting for review">
      <p className="notice-title">Nobody can call what waits for a review.</p>
      <ul>
        {waiting.map((server) => (
          <li key={server.uuid}>
            <Link href={`/mcp-servers/${server.uuid}`}>{server.name}</Link>: {describeWaiting(server)}
          </li>
        ))}
      </ul>
    </section>
  );
}
