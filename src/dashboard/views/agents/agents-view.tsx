import { Page } from "../../ui/page.tsx";

/** The view of agents. */
export function AgentsView() {
  return <Page title="Agents">{null}</Page>;
}
