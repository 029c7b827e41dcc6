import { Link } from "wouter";
import { ActLink } from "../../../app/act-link.tsx";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { TRAFFIC_EVERY_MS } from "../format-traffic.ts";
import { SERVER_FRESHNESS } from "../server-fields.ts";
import { SERVER_COLUMNS } from "./server-columns.tsx";
import { McpServers } from "./servers-query.ts";
import { WaitingBanner } from "./waiting-banner.tsx";

/** The list of MCP servers, newest first. */
export function ServerList() {
  const query = useLiveQuery(McpServers, usePaging(), { ...SERVER_FRESHNESS, everyMs: TRAFFIC_EVERY_MS });
  const page = query.data?.mcpServers ?? null;
  return (
    <Page
      title="MCP servers"
      lead="Servers of others whose tools agents may use. Agents see a tool as an admin has approved it, whatever its server says later."
      action={<ActLink href="/mcp-servers/new" label="Register server" role="ADMIN" />}
    >
      <WaitingBanner servers={page?.nodes ?? []} />
      <DataTable
        one="MCP server"
        many="MCP servers"
        columns={SERVER_COLUMNS}
        query={query}
        page={page}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/mcp-servers/${uuid}`}
        empty={
          <Empty
            title="No MCP servers yet"
            role="ADMIN"
            otherwise="Servers whose tools agents may use appear here."
          >
            <Link href="/mcp-servers/new">Register the first one</Link>, and review its tools.
          </Empty>
        }
      />
    </Page>
  );
}
