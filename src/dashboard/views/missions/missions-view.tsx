import { Page } from "../../ui/page.tsx";

/** The view of missions. */
export function MissionsView() {
  return <Page title="Missions">{null}</Page>;
}
