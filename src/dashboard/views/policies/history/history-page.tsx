import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Differences } from "../../../ui/differences.tsx";
import { Page } from "../../../ui/page.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { PolicyHistory, type ShownVersion } from "./history-query.ts";
import { listDifferences } from "./list-differences.ts";
import { RestoreVersion } from "./restore-version.tsx";

/** As many as are read. */
const MOST = 50;

/** A policy's versions, with what each changed. */
export function HistoryPage({ uuid }: { uuid: string }) {
  const id = toGlobalId("Policy", uuid);
  const query = useLiveQuery(PolicyHistory, { id }, { types: ["policy.*"] });
  const above = { href: `/policies/${uuid}`, title: "Policy" };
  return (
    <OnePage what="policy" above={above} query={query}>
      {({ policyVersions: versions }) => (
        <Page title={`History of ${versions[0]?.name ?? "a policy"}`} above={above}>
          <ol className="stack policies-form" reversed aria-label="Versions">
            {versions.map((version, place) => (
              <li key={version.generation} className="card stack-m">
                <Version version={version} before={versions[place + 1] ?? null} />
                {place > 0 && versions[0] !== undefined && (
                  <RestoreVersion id={id} version={version} newest={versions[0]} />
                )}
              </li>
            ))}
          </ol>
          {versions.length === MOST && <p className="small soft">These are the newest {MOST} versions.</p>}
        </Page>
      )}
    </OnePage>
  );
}

function Version({ version, before }: { version: ShownVersion; before: ShownVersion | null }) {
  const { generation, changedBy, changedAt } = version;
  const differences = before === null ? [] : listDifferences(before, version);
  return (
    <>
      <div className="in-line">
        <h2>Version {generation}</h2>
        <span className="soft">
          <TimeAgo at={changedAt} /> by {changedBy.name}
        </span>
      </div>
      {generation === 1 && <p>Created.</p>}
      {differences.length > 0 && <Differences differences={differences} />}
    </>
  );
}
