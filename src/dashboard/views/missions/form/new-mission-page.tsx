import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { NewMissionForm } from "./new-mission-form.tsx";

export function NewMissionPage() {
  const mayCreate = useIsAtLeast("OPERATOR");
  return (
    <Page title="New mission" above={{ href: "/missions", title: "Missions" }}>
      {mayCreate ? <NewMissionForm /> : <p>You need the operator role to create missions. Ask an admin.</p>}
    </Page>
  );
}
