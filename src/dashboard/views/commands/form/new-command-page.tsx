import { useSearchParams } from "wouter";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { NewCommandForm } from "./new-command-form.tsx";

/** The page to issue a command. The URL may name its agent. */
export function NewCommandPage() {
  const [params] = useSearchParams();
  const agent = params.get("agent") ?? "";
  const mayIssue = useIsAtLeast("OPERATOR");
  return (
    <Page title="Issue command" above={{ href: "/commands", title: "Commands" }}>
      {mayIssue ? (
        <NewCommandForm key={agent} agent={agent} />
      ) : (
        <p>You need the operator role to issue commands. Ask an admin.</p>
      )}
    </Page>
  );
}
