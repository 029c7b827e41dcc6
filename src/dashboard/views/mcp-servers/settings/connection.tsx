import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { HealthChip } from "../health-chip.tsx";
import { McpServerFields, type ShownServer } from "../server-fields.ts";

const RefreshMcpTools = graphql(
  `
    mutation RefreshMcpTools($id: ID!) {
      refreshMcpTools(input: { id: $id }) {
        server {
          ...McpServerFields
        }
      }
    }
  `,
  [McpServerFields],
);

/** What the last request to the server has shown, and the button to send one. */
export function Connection({ server }: { server: ShownServer }) {
  const mayTest = useIsAtLeast("ADMIN");
  const { act, isBusy, problem } = useAct(RefreshMcpTools);

  async function test(): Promise<void> {
    if (isBusy) return;
    const done = await act({ id: server.id });
    if (done?.refreshMcpTools.server.lastError === null) showNotice("It answers. Its tools have been read.");
  }

  return (
    <section className="card stack-m" aria-labelledby="mcp-connection">
      <h2 id="mcp-connection">Connection</h2>
      <Facts
        facts={[
          ["Health", <HealthChip key="health" server={server} />],
          ["Tools last read", <TimeAgo key="read" at={server.toolsReadAt} />],
          ["Protocol", server.protocolVersion],
        ]}
      />
      <ErrorNote problem={problem} />
      {mayTest && (
        <div className="actions">
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => void test()}>
            {isBusy ? "Asking it…" : "Test connection"}
          </button>
        </div>
      )}
    </section>
  );
}
