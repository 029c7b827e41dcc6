import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { formatCount } from "../../../ui/words.ts";
import { DeletePersonTraces } from "./delete-person-traces.tsx";

const CountTraces = graphql(`
  query CountTraces($agentId: ID, $conversationId: String) {
    traces(first: 1, filter: { agentId: $agentId, conversationId: $conversationId, plumbing: true }) {
      totalCount
    }
  }
`);

const DeleteTraces = graphql(`
  mutation DeleteTraces($agentId: ID, $conversationId: String) {
    deleteTraces(input: { agentId: $agentId, conversationId: $conversationId }) {
      traces
      hasMore
    }
  }
`);

/** Whose traces are deleted: an agent's, a conversation's, or those that both have in common. */
export type Chosen = { agentId: string | null; conversationId: string | null };

/** Deletes all traces of the agent or the conversation that the list is filtered by, or else of a person. */
export function DeleteTracesButton({ chosen }: { chosen: Chosen }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAtLeast("ADMIN")) return null;
  const isFiltered = chosen.agentId !== null || chosen.conversationId !== null;
  function close(): void {
    setIsOpen(false);
  }
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        {isFiltered ? "Delete traces" : "Delete a person’s traces"}
      </button>
      {isOpen && isFiltered && <Confirmation chosen={chosen} onClose={close} />}
      {isOpen && !isFiltered && <DeletePersonTraces onClose={close} />}
    </>
  );
}

/** Says how many there are. */
function Confirmation({ chosen, onClose }: { chosen: Chosen; onClose: () => void }) {
  const { data } = useLiveQuery(CountTraces, chosen, { types: [] });
  const { act, isBusy, problem } = useAct(DeleteTraces);
  const [deleted, setDeleted] = useState(0);
  const total = data?.traces.totalCount;

  async function carryOut(): Promise<void> {
    let count = deleted;
    for (let hasMore = true; hasMore;) {
      const result = await act(chosen);
      if (result === null) return;
      ({ hasMore } = result.deleteTraces);
      count += result.deleteTraces.traces;
      setDeleted(count);
    }
    onClose();
    showNotice(`${formatCount(count, "trace has", "traces have")} been deleted.`);
  }

  return (
    <ConfirmDialog
      title={`Delete all traces of ${nameOf(chosen)}?`}
      confirmLabel="Delete traces"
      isOpen
      onClose={onClose}
      onConfirm={() => void carryOut()}
      isBusy={isBusy}
      problem={problem}
    >
      <p>
        {data !== null && (
          <strong>
            {typeof total === "number" ? formatCount(total, "trace") : "More than 10,000 traces"},{" "}
          </strong>
        )}
        whatever else the list is filtered by, with their spans, prompts, answers and scores. This can’t be
        undone. What calls cost stays in the sums.
      </p>
      {deleted > 0 && <p role="status">{formatCount(deleted, "trace")} deleted so far.</p>}
    </ConfirmDialog>
  );
}

function nameOf({ agentId, conversationId }: Chosen): string {
  if (conversationId === null) return "this agent";
  return agentId === null ? "this conversation" : "this agent in this conversation";
}
