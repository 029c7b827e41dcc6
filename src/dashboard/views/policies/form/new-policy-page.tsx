import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { PolicyForm } from "./policy-form.tsx";
import type { RuleInput } from "./policy-input.ts";
import { CreatePolicy } from "./policy-mutations.ts";
import { EMPTY_POLICY } from "./typed-policy.ts";

/** The page to create a policy. */
export function NewPolicyPage() {
  const mayCreate = useIsAtLeast("ADMIN");
  const { act, isBusy, problem } = useAct(CreatePolicy);
  const [, go] = useLocation();

  async function create(rule: RuleInput): Promise<void> {
    const made = await act({ rule });
    if (made === null) return;
    showNotice("The policy has been created.");
    go(`/policies/${made.createPolicy.policy.uuid}`);
  }

  return (
    <Page title="New policy" above={{ href: "/policies", title: "Policies" }}>
      {mayCreate ? (
        <PolicyForm
          initial={EMPTY_POLICY}
          sendLabel="Create policy"
          onSave={(rule) => void create(rule)}
          isBusy={isBusy}
          problem={problem}
        />
      ) : (
        <p>You need the admin role to create policies. Ask an owner.</p>
      )}
    </Page>
  );
}
