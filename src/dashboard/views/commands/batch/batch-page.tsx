import { NotFound } from "../../../app/not-found.tsx";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatCount } from "../../../ui/words.ts";
import { getIssuerName } from "../get-issuer-name.ts";
import { BATCH_COLUMNS } from "../list/command-columns.tsx";
import { CommandsQuery } from "../list/command-rows.ts";
import { RollUp } from "./roll-up.tsx";

const BatchQuery = graphql(`
  query Batch($batchId: UUID!) {
    agentCommandBatch(batchId: $batchId) {
      batchId
      total
      open
      counts {
        status
        count
      }
    }
  }
`);

const FRESH = { types: ["agent_command.*"] };

/** Commands issued together: a summary, and each command. */
export function BatchPage({ batchId }: { batchId: string }) {
  const batch = useLiveQuery(BatchQuery, { batchId }, FRESH);
  const query = useLiveQuery(CommandsQuery, { ...usePaging(), filter: { batchId } }, FRESH);
  const [first] = query.data?.agentCommands.nodes ?? [];
  if (batch.problem?.code === "NOT_FOUND") return <NotFound what="batch" />;
  return (
    <Page
      title={
        first === undefined
          ? "Batch"
          : `${first.type} to ${formatCount(batch.data?.agentCommandBatch.total ?? 1, "agent")}`
      }
      above={{ href: "/commands", title: "Commands" }}
      lead={
        first !== undefined && (
          <>
            Issued <TimeAgo at={first.createdAt} /> by {getIssuerName(first.issuedBy)}
          </>
        )
      }
    >
      <ErrorNote problem={batch.problem} onRetry={batch.refresh} />
      {batch.data !== null && <RollUp batch={batch.data.agentCommandBatch} />}
      <DataTable
        one="command"
        many="commands"
        columns={BATCH_COLUMNS}
        query={query}
        page={query.data?.agentCommands ?? null}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/commands/${uuid}`}
        empty={null}
      />
    </Page>
  );
}
