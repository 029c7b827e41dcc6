import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { ShownServer } from "../server-fields.ts";

const DeleteMcpServer = graphql(`
  mutation DeleteMcpServer($id: ID!) {
    deleteMcpServer(input: { id: $id }) {
      server {
        id
      }
    }
  }
`);

/** Deletes a server after a confirmation. */
export function DeleteServer({ server: { id, name } }: { server: ShownServer }) {
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(DeleteMcpServer);
  const [, go] = useLocation();

  async function carryOut(): Promise<void> {
    if ((await act({ id })) === null) return;
    showNotice(`The MCP server ${name} has been deleted.`);
    go("/mcp-servers");
  }

  return (
    <section className="card card-danger stack-m" aria-labelledby="mcp-delete">
      <h2 id="mcp-delete">Delete</h2>
      <div className="actions">
        <button type="button" className="button button-danger" onClick={() => setIsOpen(true)}>
          Delete MCP server
        </button>
      </div>
      <ConfirmDialog
        title={`Delete ${name}?`}
        confirmLabel="Delete MCP server"
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
          clear();
        }}
        onConfirm={() => void carryOut()}
        isBusy={isBusy}
        problem={problem}
      >
        <ul className="consequences">
          <li>Agents can no longer call its tools. Calls under way go on.</li>
          <li>
            Its tools, their reviews and its credential are deleted too. To only suspend it, disable it.
          </li>
        </ul>
      </ConfirmDialog>
    </section>
  );
}
