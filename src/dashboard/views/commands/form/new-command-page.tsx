import { useSearchParams } from "wouter";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { NewCommandForm } from "./new-command-form.tsx";

/** Where a command is issued. The address may name its agent. */
export function NewCommandPage() {
  const [params] = useSearchParams();
  const agent = params.get("agent") ?? "";
  const mayIssue = useIsAtLeast("OPERATOR");
  return (
    <Page title="Issue a command" above={{ href: "/commands", title: "Commands" }}>
      {mayIssue ? (
        <NewCommandForm key={agent} agent={agent} />
      ) : (
        <p>Operators issue commands. Ask an admin for that role.</p>
      )}
    </Page>
  );
}
