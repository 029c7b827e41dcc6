import { ActLink } from "../../../app/act-link.tsx";
import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { JsonTree } from "../../../ui/json-tree/json-tree.tsx";
import { Page } from "../../../ui/page.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { RelatedExecutions } from "../../executions/related-executions.tsx";
import { explainReason } from "../decision-words.ts";
import { OutcomeChips } from "../outcome-chips.tsx";
import { ExplainDecision } from "./explain-decision.tsx";
import { DecisionFacts } from "./decision-facts.tsx";
import { DecisionPolicies } from "./decision-policies.tsx";
import { DecisionQuery, type ShownDecision } from "./decision-query.ts";

const ABOVE = { href: "/decisions", title: "Decisions" };

/** One decision. It never changes. */
export function DecisionPage({ uuid }: { uuid: string }) {
  const query = useLiveQuery(DecisionQuery, { id: toGlobalId("Decision", uuid) }, { types: [] });
  return (
    <OnePage what="decision" above={ABOVE} query={query}>
      {({ decision }) => (
        <Page
          title={toVisibleText(decision.resourceId)}
          above={ABOVE}
          lead={<Lead decision={decision} />}
          action={
            <ActLink
              href={`/policies/new?decision=${decision.uuid}`}
              label="Write a policy for this"
              role="ADMIN"
            />
          }
        >
          <div className="with-aside">
            <div className="stack">
              <DecisionPolicies policies={decision.policies} />
              <ExplainDecision id={decision.id} />
              <RelatedExecutions filter={{ decisionUuid: decision.uuid }} />
              <Request request={decision.request} />
            </div>
            <DecisionFacts decision={decision} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

function Lead({ decision: { outcome, would, reason } }: { decision: ShownDecision }) {
  return (
    <div className="in-line">
      <OutcomeChips outcome={outcome} would={would} />
      <span>{explainReason(reason)}</span>
    </div>
  );
}

function Request({ request }: Pick<ShownDecision, "request">) {
  return (
    <section className="card stack-m" aria-labelledby="decision-request">
      <h2 id="decision-request">Request</h2>
      {request === null ? (
        <p className="soft">It has more than 16 KiB, so that only its hash was kept.</p>
      ) : (
        <JsonTree value={request} label="Request as a tree" />
      )}
    </section>
  );
}
