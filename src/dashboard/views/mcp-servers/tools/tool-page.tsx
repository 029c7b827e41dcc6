import { useState } from "react";
import { Link, useLocation } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { NotFound } from "../../../app/not-found.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Facts } from "../../../ui/facts.tsx";
import { Page } from "../../../ui/page.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { useKeys } from "../../../ui/use-keys.ts";
import { McpServerFields, type ShownServer } from "../server-fields.ts";
import { Definition } from "./definition.tsx";
import { NewerDefinition } from "./newer-definition.tsx";
import { ReviewActs } from "./review-acts.tsx";
import { ToolChip } from "./tool-chip.tsx";
import { McpToolFields, type ShownTool, TOOL_FRESHNESS, WaitingMcpTools } from "./tool-fields.ts";

const McpToolQuery = graphql(
  `
    query McpToolPage($serverId: ID!, $id: ID!) {
      mcpServer(id: $serverId) {
        ...McpServerFields
      }
      tool: node(id: $id) {
        ... on McpTool {
          ...McpToolFields
          serverId
        }
      }
    }
  `,
  [McpServerFields, McpToolFields],
);

/** One tool of a server. */
export function ToolPage({ serverUuid, uuid }: { serverUuid: string; uuid: string }) {
  const variables = { serverId: toGlobalId("McpServer", serverUuid), id: toGlobalId("McpTool", uuid) };
  const query = useLiveQuery(McpToolQuery, variables, TOOL_FRESHNESS);
  const above = { href: `/mcp-servers/${serverUuid}`, title: query.data?.mcpServer.name ?? "MCP server" };
  return (
    <OnePage what="tool" above={above} query={query}>
      {({ mcpServer, tool }) => {
        const isOwn = tool !== null && "serverId" in tool && tool.serverId === mcpServer.id;
        if (!isOwn) return <NotFound what="tool" />;
        return (
          <Page title={toVisibleText(tool.name)} above={above} lead={<ToolChip status={tool.status} />}>
            <Shown tool={tool} server={mcpServer} />
          </Page>
        );
      }}
    </OnePage>
  );
}

/** Shows the definition as it was when the page was opened: a review is of what was read. */
function Shown({ tool, server }: { tool: ShownTool; server: ShownServer }) {
  const [read, setRead] = useState(tool);
  const shown = { ...tool, hash: read.hash, definition: read.definition };
  return (
    <>
      {read.hash !== tool.hash && (
        <NewerDefinition onShow={() => setRead(tool)}>
          The server changed its definition while you were reading it.
        </NewerDefinition>
      )}
      <div className="with-aside">
        <div className="stack">
          <Definition tool={shown} heading="h2" />
          <ReviewActs key={read.hash} tool={shown} serverId={server.id} />
          <Next server={server} uuid={tool.uuid} />
        </div>
        <ToolFacts tool={tool} slug={server.slug} />
      </div>
    </>
  );
}

/** A link to another tool of the server that waits for a review. */
function Next({ server, uuid }: { server: ShownServer; uuid: string }) {
  const { data } = useLiveQuery(WaitingMcpTools, { serverId: server.id, first: 2 }, TOOL_FRESHNESS);
  const waiting = [...(data?.changed.nodes ?? []), ...(data?.pending.nodes ?? [])];
  const next = waiting.find((one) => one.uuid !== uuid);
  const [, go] = useLocation();
  const href = next === undefined ? null : `/mcp-servers/${server.uuid}/tools/${next.uuid}`;
  useKeys({ ".": () => href !== null && go(href) });
  if (href === null) return null;
  return (
    <p className="mcp-next">
      <Link href={href}>Next that waits</Link> <kbd>.</kbd>
    </p>
  );
}

function ToolFacts({ tool, slug }: { tool: ShownTool; slug: string }) {
  const { name, createdAt, updatedAt, reviewedAt, reviewedBy } = tool;
  return (
    <section className="card" aria-label="Details">
      <Facts
        facts={[
          ["In policies", <code key="resource">{toVisibleText(`${slug}.${name}`)}</code>],
          ["First seen", <TimeAgo key="created" at={createdAt} />],
          ["Changed", <TimeAgo key="updated" at={updatedAt} />],
          ["Reviewed", reviewedAt === null ? "not yet" : <TimeAgo key="reviewed" at={reviewedAt} />],
          ...(reviewedBy === null ? [] : [["Reviewed by", reviewedBy.name] as const]),
        ]}
      />
    </section>
  );
}
