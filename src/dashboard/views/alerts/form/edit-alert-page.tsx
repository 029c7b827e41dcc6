import { useState } from "react";
import { useLocation } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useAct } from "../../../data/use-act.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { EditConflict } from "../../../ui/edit-conflict.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { ALERT_FRESHNESS, AlertQuery, type ShownAlert } from "../alert-fields.ts";
import { METRICS } from "../alert-metrics.ts";
import { describeWatched } from "../words/describe-watched.ts";
import { AlertForm } from "./alert-form.tsx";
import type { AlertChanges } from "./alert-input.ts";
import { UpdateAlertRule } from "./alert-mutations.ts";
import { toTypedAlert } from "./typed-alert.ts";

/** The page to edit an alert rule. */
export function EditAlertPage({ uuid }: { uuid: string }) {
  const mayEdit = useIsAtLeast("ADMIN");
  const query = useLiveQuery(AlertQuery, { id: toGlobalId("AlertRule", uuid) }, ALERT_FRESHNESS);
  const above = { href: `/alerts/${uuid}`, title: "Alert rule" };
  return (
    <OnePage what="alert rule" above={above} query={query}>
      {({ alertRule: rule }) => (
        <Page
          title={`Edit ${rule.name}`}
          above={above}
          lead={`${METRICS[rule.metric].label} of ${describeWatched(rule)}. A rule never watches something else.`}
        >
          {mayEdit ? <Editing newest={rule} /> : <p>You need the admin role to edit alert rules.</p>}
        </Page>
      )}
    </OnePage>
  );
}

/** Edits the rule as it was when the page was opened; says so when it is changed meanwhile. */
function Editing({ newest }: { newest: ShownAlert }) {
  const [rule, setRule] = useState(newest);
  const { act, isBusy, problem, clear } = useAct(UpdateAlertRule);
  const [, go] = useLocation();

  async function save(changes: AlertChanges): Promise<void> {
    const saved = await act({ input: { ...changes, id: rule.id, ifGeneration: rule.generation } });
    if (saved === null) return;
    showNotice("The alert rule has been saved.");
    go(`/alerts/${rule.uuid}`);
  }

  return (
    <>
      {newest.generation !== rule.generation && (
        <EditConflict
          what="alert rule"
          by={newest.updatedBy.name}
          href={`/alerts/${newest.uuid}`}
          generation={newest.generation}
          onLoad={() => {
            clear();
            setRule(newest);
          }}
        />
      )}
      <AlertForm
        key={rule.generation}
        initial={toTypedAlert(rule)}
        isNew={false}
        sendLabel="Save alert rule"
        onSave={(changes) => void save(changes)}
        isBusy={isBusy}
        problem={problem}
      />
    </>
  );
}
