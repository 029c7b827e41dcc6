import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { EditConflict } from "../../../ui/edit-conflict.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { EditableFields } from "../form/editable-fields.tsx";
import { toServerInput, toTypedServer } from "../form/server-input.ts";
import { McpServerFields, type ShownServer } from "../server-fields.ts";

const UpdateMcpServer = graphql(
  `
    mutation UpdateMcpServer($input: UpdateMcpServerInput!) {
      updateMcpServer(input: $input) {
        server {
          ...McpServerFields
        }
      }
    }
  `,
  [McpServerFields],
);

/** Edits the server as it was when the form was opened; says so when it is changed meanwhile. */
export function EditServer({ newest }: { newest: ShownServer }) {
  const [server, setServer] = useState(newest);
  const [typed, setTyped] = useState(() => toTypedServer(newest));
  const { act, isBusy, problem, clear } = useAct(UpdateMcpServer);
  const { input, problem: ownProblem } = toServerInput(typed);

  function load(loaded: ShownServer): void {
    clear();
    setServer(loaded);
    setTyped(toTypedServer(loaded));
  }

  async function save(): Promise<void> {
    if (ownProblem !== null) return;
    const saved = await act({ input: { ...input, id: server.id, ifGeneration: server.generation } });
    if (saved === null) return;
    load(saved.updateMcpServer.server);
    showNotice("The MCP server has been saved.");
  }

  return (
    <section className="card stack-m" aria-labelledby="mcp-edit">
      <h2 id="mcp-edit">Edit</h2>
      {newest.generation > server.generation && (
        <EditConflict
          what="MCP server"
          by={newest.updatedBy.name}
          href={`/mcp-servers/${newest.uuid}/settings`}
          generation={newest.generation}
          onLoad={() => load(newest)}
        />
      )}
      <Form sendLabel="Save" onSend={() => void save()} isBusy={isBusy} problem={problem ?? ownProblem}>
        <EditableFields
          typed={typed}
          onChange={(changes) => setTyped({ ...typed, ...changes })}
          problem={problem ?? ownProblem}
        />
      </Form>
    </section>
  );
}
