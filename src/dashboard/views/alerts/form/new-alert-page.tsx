import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { AlertForm } from "./alert-form.tsx";
import { type AlertChanges, toWatchedInput } from "./alert-input.ts";
import { CreateAlertRule } from "./alert-mutations.ts";
import { EMPTY_ALERT, type TypedAlert } from "./typed-alert.ts";

/** The page to create an alert rule. */
export function NewAlertPage() {
  const mayCreate = useIsAtLeast("ADMIN");
  const { act, isBusy, problem } = useAct(CreateAlertRule);
  const [, go] = useLocation();

  async function create(changes: AlertChanges, typed: TypedAlert): Promise<void> {
    const made = await act({ input: { ...changes, ...toWatchedInput(typed) } });
    if (made === null) return;
    showNotice("The alert rule has been created.");
    go(`/alerts/${made.createAlertRule.alertRule.uuid}`);
  }

  return (
    <Page title="New alert rule" above={{ href: "/alerts", title: "Alerts" }}>
      {mayCreate ? (
        <AlertForm
          initial={EMPTY_ALERT}
          isNew
          sendLabel="Create alert rule"
          onSave={(changes, typed) => void create(changes, typed)}
          isBusy={isBusy}
          problem={problem}
        />
      ) : (
        <p>You need the admin role to create alert rules. Ask an owner.</p>
      )}
    </Page>
  );
}
