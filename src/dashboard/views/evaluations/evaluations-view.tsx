import { Page } from "../../ui/page.tsx";

/** The view of evaluations. */
export function EvaluationsView() {
  return <Page title="Evaluations">{null}</Page>;
}
