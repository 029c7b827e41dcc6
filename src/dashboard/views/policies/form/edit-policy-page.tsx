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
import { PolicyQuery, type ShownPolicy } from "../policy-fields.ts";
import { PolicyForm } from "./policy-form.tsx";
import type { RuleInput } from "./policy-input.ts";
import { UpdatePolicy } from "./policy-mutations.ts";
import { toTypedPolicy } from "./typed-policy.ts";

/** The page to edit a policy. */
export function EditPolicyPage({ uuid }: { uuid: string }) {
  const mayEdit = useIsAtLeast("ADMIN");
  const query = useLiveQuery(PolicyQuery, { id: toGlobalId("Policy", uuid) }, { types: ["policy.*"] });
  const above = { href: `/policies/${uuid}`, title: "Policy" };
  return (
    <OnePage what="policy" above={above} query={query}>
      {({ policy }) => (
        <Page title={`Edit ${policy.name}`} above={above}>
          {mayEdit ? <Editing newest={policy} /> : <p>You need the admin role to edit policies.</p>}
        </Page>
      )}
    </OnePage>
  );
}

/** Edits the policy as it was when the page was opened; says so when it is changed meanwhile. */
function Editing({ newest }: { newest: ShownPolicy }) {
  const [policy, setPolicy] = useState(newest);
  const { act, isBusy, problem, clear } = useAct(UpdatePolicy);
  const [, go] = useLocation();

  async function save(rule: RuleInput): Promise<void> {
    const saved = await act({ id: policy.id, rule, ifGeneration: policy.generation });
    if (saved === null) return;
    showNotice("The policy has been saved.");
    go(`/policies/${policy.uuid}`);
  }

  return (
    <>
      {newest.generation !== policy.generation && (
        <EditConflict
          what="policy"
          by={newest.updatedBy.name}
          href={`/policies/${newest.uuid}`}
          generation={newest.generation}
          onLoad={() => {
            clear();
            setPolicy(newest);
          }}
        />
      )}
      {policy.fromFile && (
        <p className="notice policies-form">
          This policy is from a file. When that is applied again, it undoes what you change here.
        </p>
      )}
      <PolicyForm
        key={policy.generation}
        initial={toTypedPolicy(policy)}
        saved={policy.name}
        sendLabel="Save policy"
        onSave={(rule) => void save(rule)}
        isBusy={isBusy}
        problem={problem}
      />
    </>
  );
}
