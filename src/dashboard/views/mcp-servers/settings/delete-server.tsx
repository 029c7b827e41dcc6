import { graphql } from "../../../data/graphql.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
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
export function DeleteServer({ server }: { server: ShownServer }) {
  return (
    <section className="card card-danger stack-m" aria-labelledby="mcp-delete">
      <h2 id="mcp-delete">Delete</h2>
      <div className="actions">
        <DeleteButton
          mutation={DeleteMcpServer}
          subject={server}
          noun="MCP server"
          list="/mcp-servers"
          className="button button-danger"
        >
          <li>Agents can no longer call its tools. Calls under way go on.</li>
          <li>
            Its tools, their reviews and its credential are deleted too. To only suspend it, disable it.
          </li>
        </DeleteButton>
      </div>
    </section>
  );
}
