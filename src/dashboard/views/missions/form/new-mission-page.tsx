import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { NewMissionForm } from "./new-mission-form.tsx";

/** Where a mission is created. */
export function NewMissionPage() {
  const mayCreate = useIsAtLeast("OPERATOR");
  return (
    <Page title="New mission" above={{ href: "/missions", title: "Missions" }}>
      {mayCreate ? <NewMissionForm /> : <p>Operators can create missions.</p>}
    </Page>
  );
}
