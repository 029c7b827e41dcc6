import { Page } from "../../ui/page.tsx";

/** The view of robots. */
export function RobotsView() {
  return <Page title="Robots">{null}</Page>;
}
