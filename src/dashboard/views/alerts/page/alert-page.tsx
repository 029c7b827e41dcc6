import { Link } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { AlertChip } from "../alert-chip.tsx";
import { ALERT_FRESHNESS, AlertQuery, type ShownAlert } from "../alert-fields.ts";
import { AlertFacts } from "./alert-facts.tsx";
import { AlertValue } from "./alert-value.tsx";
import { DeleteAlert } from "./delete-alert.tsx";
import { EnableAlert } from "./enable-alert.tsx";

const ABOVE = { href: "/alerts", title: "Alerts" };

/** One alert rule. */
export function AlertPage({ uuid }: { uuid: string }) {
  const query = useLiveQuery(AlertQuery, { id: toGlobalId("AlertRule", uuid) }, ALERT_FRESHNESS);
  return (
    <OnePage what="alert rule" above={ABOVE} query={query}>
      {({ alertRule: rule }) => (
        <Page title={rule.name} above={ABOVE} lead={<Lead rule={rule} />} action={<AlertActs rule={rule} />}>
          {rule.description !== null && <p className="alerts-description">{rule.description}</p>}
          <div className="with-aside">
            <AlertValue rule={rule} />
            <AlertFacts rule={rule} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

function Lead({ rule }: { rule: ShownAlert }) {
  return (
    <span className="in-line">
      <AlertChip rule={rule} />
      <span>
        since <TimeAgo at={rule.stateSince} />
      </span>
    </span>
  );
}

/** For admins. Others only read. */
function AlertActs({ rule }: { rule: ShownAlert }) {
  if (!useIsAtLeast("ADMIN")) return null;
  return (
    <>
      <Link className="button" href={`/alerts/${rule.uuid}/edit`}>
        Edit alert rule
      </Link>
      <EnableAlert rule={rule} />
      <DeleteAlert rule={rule} />
    </>
  );
}
