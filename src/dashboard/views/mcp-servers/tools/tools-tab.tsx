import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { countWaitingTools } from "../../../data/use-waiting-mcp-servers.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { TRAFFIC_EVERY_MS, formatCalls, formatDenials } from "../format-traffic.ts";
import type { ShownServer } from "../server-fields.ts";
import { ToolChip } from "./tool-chip.tsx";
import { McpToolItem, TOOL_FRESHNESS, TOOL_STATUSES, type ToolItem } from "./tool-fields.ts";
import { WaitingTools } from "./waiting-tools.tsx";

const McpTools = graphql(
  `
    query McpTools($first: Int, $after: String, $last: Int, $before: String, $filter: McpToolFilter) {
      mcpTools(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...McpToolItem
          traffic {
            calls
            denials
          }
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [McpToolItem, PageFields],
);

type ListedTool = ResultOf<typeof McpTools>["mcpTools"]["nodes"][number];

const FRESHNESS = { ...TOOL_FRESHNESS, everyMs: TRAFFIC_EVERY_MS };

const STATUS_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["APPROVED", "Approved"],
  ["CHANGED", "Changed"],
  ["PENDING", "New"],
  ["BLOCKED", "Blocked"],
  ["GONE", "Gone"],
];

/** The tools of a server, those first that wait for a review. */
export function ToolsTab({ server }: { server: ShownServer }) {
  const { values, bind } = useUrlState({ status: "" });
  const status = TOOL_STATUSES.find((one) => one === values.status) ?? null;
  const filter = { serverId: server.id, status };
  const query = useLiveQuery(McpTools, { ...usePaging(), filter }, FRESHNESS);
  const home = `/mcp-servers/${server.uuid}`;
  return (
    <>
      {countWaitingTools(server) > 0 && <WaitingTools server={server} />}
      <Filters>
        <SelectField label="Status" options={STATUS_OPTIONS} {...bind("status")} />
      </Filters>
      <DataTable
        one="tool"
        many="tools"
        columns={COLUMNS}
        query={query}
        page={query.data?.mcpTools ?? null}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `${home}/tools/${uuid}`}
        allAt={status === null ? null : home}
        empty={<NoTools server={server} />}
      />
    </>
  );
}

const COLUMNS: readonly Column<ListedTool>[] = [
  { header: "Tool", cell: ({ name }) => toVisibleText(name) },
  { header: "Status", cell: ({ status }) => <ToolChip status={status} /> },
  { header: "Reviewed", cell: Reviewed },
  { header: "Calls in 24 h", cell: ({ traffic }) => formatCalls(traffic.calls), isEnd: true },
  { header: "Denied", cell: ({ traffic }) => formatDenials(traffic.denials), isEnd: true },
  { header: "Changed", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

function Reviewed({ reviewedBy, reviewedAt }: ToolItem) {
  if (reviewedAt === null) return <span className="soft">not yet</span>;
  return (
    <span>
      <TimeAgo at={reviewedAt} /> by {reviewedBy?.name ?? "somebody"}
    </span>
  );
}

function NoTools({ server: { uuid, toolsReadAt } }: { server: ShownServer }) {
  if (toolsReadAt !== null) return <Empty title="This server has no tools" />;
  return (
    <Empty title="Its tools haven’t been read yet" role="ADMIN" otherwise="An admin does it in the settings.">
      <Link href={`/mcp-servers/${uuid}/settings`}>Test the connection</Link>, which reads them.
    </Empty>
  );
}
