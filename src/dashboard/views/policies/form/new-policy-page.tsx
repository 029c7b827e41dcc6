import { useLocation, useSearchParams } from "wouter";
import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { useAct } from "../../../data/use-act.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { DecisionQuery, type ShownDecision } from "../../decisions/page/decision-query.ts";
import { PolicyForm } from "./policy-form.tsx";
import type { RuleInput } from "./policy-input.ts";
import { CreatePolicy } from "./policy-mutations.ts";
import { toPolicyFor } from "./to-policy-for.ts";
import { EMPTY_POLICY } from "./typed-policy.ts";

/** The page to create a policy, for a decision if the URL names one. */
export function NewPolicyPage() {
  const mayCreate = useIsAtLeast("ADMIN");
  const [params] = useSearchParams();
  const decision = params.get("decision");
  return (
    <Page title="New policy" above={{ href: "/policies", title: "Policies" }}>
      {!mayCreate && <p>You need the admin role to create policies. Ask an owner.</p>}
      {mayCreate && decision !== null && isUuid(decision) && <ForDecision uuid={decision} />}
      {mayCreate && (decision === null || !isUuid(decision)) && <NewPolicy decision={null} />}
    </Page>
  );
}

function ForDecision({ uuid }: { uuid: string }) {
  const query = useLiveQuery(DecisionQuery, { id: toGlobalId("Decision", uuid) }, { types: [] });
  const { data, problem, isLoading, refresh } = query;
  if (data !== null) return <NewPolicy decision={data.decision} />;
  return (
    <>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} lines={data === null ? 6 : 0} />
    </>
  );
}

function NewPolicy({ decision }: { decision: ShownDecision | null }) {
  const { act, isBusy, problem } = useAct(CreatePolicy);
  const [, go] = useLocation();

  async function create(rule: RuleInput): Promise<void> {
    const made = await act({ rule });
    if (made === null) return;
    showNotice("The policy has been created.");
    go(`/policies/${made.createPolicy.policy.uuid}`);
  }

  return (
    <PolicyForm
      initial={decision === null ? EMPTY_POLICY : toPolicyFor(decision)}
      saved={null}
      {...(decision !== null &&
        decision.agentUuid !== null && {
          tried: { request: decision.request ?? undefined, agentUuid: decision.agentUuid },
        })}
      sendLabel="Create policy"
      onSave={(rule) => void create(rule)}
      isBusy={isBusy}
      problem={problem}
    />
  );
}
