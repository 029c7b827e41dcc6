import { Link } from "wouter";
import { useWaitingMcpServers } from "../../../data/use-waiting-mcp-servers.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { describeWaiting } from "../../mcp-servers/describe-waiting.ts";

const SHOWN = 3;

/** The MCP servers with tools that wait for a review. Hidden if there are none. */
export function WaitingTools() {
  const { data, problem, refresh } = useWaitingMcpServers();
  const servers = data ?? [];
  const more = servers.length - SHOWN;
  if (servers.length === 0 && problem === null) return null;
  return (
    <section className="card stack-m now-questions" aria-labelledby="now-tools">
      <div className="row-between">
        <h2 id="now-tools">Tools waiting for review</h2>
        {more > 0 && <Link href="/mcp-servers">{`${more} more`}</Link>}
      </div>
      <ErrorNote problem={problem} onRetry={refresh} />
      <ul className="now-question-list">
        {servers.slice(0, SHOWN).map((server) => (
          <li key={server.uuid} className="row-between">
            <Link href={`/mcp-servers/${server.uuid}`}>{server.name}</Link>
            <span className="small soft">{describeWaiting(server)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
