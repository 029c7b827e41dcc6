import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { McpServerFields } from "../server-fields.ts";
import { EditableFields } from "./editable-fields.tsx";
import { EMPTY_SERVER, toServerInput } from "./server-input.ts";

const CreateMcpServer = graphql(
  `
    mutation CreateMcpServer($input: CreateMcpServerInput!) {
      createMcpServer(input: $input) {
        server {
          ...McpServerFields
        }
      }
    }
  `,
  [McpServerFields],
);

/** The page to register a server. */
export function NewServerPage() {
  const mayRegister = useIsAtLeast("ADMIN");
  return (
    <Page
      title="Register MCP server"
      above={{ href: "/mcp-servers", title: "MCP servers" }}
      lead="Nothing is asked of it yet. Next, you can set its credential and read its tools."
    >
      {mayRegister ? <NewServerForm /> : <p>You need the admin role to register servers. Ask an owner.</p>}
    </Page>
  );
}

function NewServerForm() {
  const [slug, setSlug] = useState("");
  const [typed, setTyped] = useState(EMPTY_SERVER);
  const { act, isBusy, problem } = useAct(CreateMcpServer);
  const [, go] = useLocation();
  const { input, problem: ownProblem } = toServerInput(typed);
  const shown = problem ?? (typed.holdSeconds === "" ? null : ownProblem);

  async function register(): Promise<void> {
    if (ownProblem !== null) return;
    const made = await act({ input: { ...input, slug: slug.trim() } });
    if (made === null) return;
    showNotice("The MCP server has been registered.");
    go(`/mcp-servers/${made.createMcpServer.server.uuid}/settings`);
  }

  return (
    <div className="card mcp-form">
      <Form sendLabel="Register server" onSend={() => void register()} isBusy={isBusy} problem={shown}>
        <TextField
          label="Name in policies"
          name="slug"
          hint="Lower-case letters, digits and hyphens. Its tool refund is the resource name.refund. It can’t be changed later."
          placeholder="shop"
          value={slug}
          onChange={setSlug}
          problem={problem}
          isRequired
        />
        <EditableFields
          typed={typed}
          onChange={(changes) => setTyped({ ...typed, ...changes })}
          problem={shown}
        />
      </Form>
    </div>
  );
}
