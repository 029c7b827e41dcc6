import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { McpServerFields } from "../server-fields.ts";
import { ReviewForm } from "./review-form.tsx";
import { McpToolFields, TOOL_FRESHNESS } from "./tool-fields.ts";

/** So many of each kind are reviewed at once: definitions may be large, and people have to read them. */
const AT_ONCE = 10;

const McpReview = graphql(
  `
    query McpReview($id: ID!, $first: Int!) {
      mcpServer(id: $id) {
        ...McpServerFields
      }
      changed: mcpTools(last: $first, filter: { serverId: $id, status: CHANGED }) {
        nodes {
          ...McpToolFields
        }
      }
      pending: mcpTools(last: $first, filter: { serverId: $id, status: PENDING }) {
        nodes {
          ...McpToolFields
        }
      }
    }
  `,
  [McpServerFields, McpToolFields],
);

/** The definitions of all tools of a server that wait for a review, to approve them together. */
export function ReviewPage({ uuid }: { uuid: string }) {
  const mayReview = useIsAtLeast("ADMIN");
  const variables = { id: toGlobalId("McpServer", uuid), first: AT_ONCE };
  const query = useLiveQuery(McpReview, variables, TOOL_FRESHNESS);
  const above = { href: `/mcp-servers/${uuid}`, title: query.data?.mcpServer.name ?? "MCP server" };
  return (
    <OnePage what="MCP server" above={above} query={query}>
      {({ mcpServer: server, changed, pending }) => (
        <Page
          title={`Review tools of ${server.name}`}
          above={above}
          lead="Read what models will read. What you approve is exactly what is shown here."
        >
          {mayReview ? (
            <ReviewForm
              server={server}
              waiting={[...changed.nodes.toReversed(), ...pending.nodes.toReversed()]}
            />
          ) : (
            <p>You need the admin role to review tools. Ask an owner.</p>
          )}
        </Page>
      )}
    </OnePage>
  );
}
