import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { formatCount } from "../../../ui/words.ts";
import type { ShownServer } from "../server-fields.ts";
import { CALL_FRESHNESS } from "./call-fields.ts";

const UnknownMcpCalls = graphql(`
  query UnknownMcpCalls($filter: McpCallFilter) {
    mcpCalls(first: 1, filter: $filter) {
      totalCount
    }
  }
`);

/** Says how many of a server's calls people have to look into. Renders nothing for none. */
export function UnknownCalls({ server: { id, uuid } }: { server: ShownServer }) {
  const filter = { serverId: id, status: "UNKNOWN" as const };
  const { data } = useLiveQuery(UnknownMcpCalls, { filter }, CALL_FRESHNESS);
  // Null for very many.
  const count = data === null ? 0 : data.mcpCalls.totalCount;
  if (count === 0) return null;
  return (
    <section className="notice notice-warn" aria-label="Outcome unknown">
      <p className="notice-title">
        {count === null ? "Many calls" : formatCount(count, "call")} may have happened: nobody knows.
      </p>
      <p>
        None was made again. <Link href={`/mcp-servers/${uuid}/calls?status=UNKNOWN`}>Find out</Link> what the
        server did, and say so.
      </p>
    </section>
  );
}
