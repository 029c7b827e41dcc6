import { Page } from "../../ui/page.tsx";

/** The view of commands. */
export function CommandsView() {
  return <Page title="Commands">{null}</Page>;
}
