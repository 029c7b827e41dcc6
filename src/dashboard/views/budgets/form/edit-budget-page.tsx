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
import { BUDGET_FRESHNESS, BudgetQuery, type ShownBudget } from "../budget-fields.ts";
import { BudgetForm } from "./budget-form.tsx";
import type { BudgetChanges } from "./budget-input.ts";
import { UpdateBudget } from "./budget-mutations.ts";
import { toTypedBudget } from "./typed-budget.ts";

/** The page to edit a budget. */
export function EditBudgetPage({ uuid }: { uuid: string }) {
  const mayEdit = useIsAtLeast("ADMIN");
  const query = useLiveQuery(BudgetQuery, { id: toGlobalId("Budget", uuid), sums: 1 }, BUDGET_FRESHNESS);
  const above = { href: `/budgets/${uuid}`, title: "Budget" };
  return (
    <OnePage what="budget" above={above} query={query}>
      {({ budget }) => (
        <Page title={`Edit ${budget.name}`} above={above}>
          {mayEdit ? <Editing newest={budget} /> : <p>You need the admin role to edit budgets.</p>}
        </Page>
      )}
    </OnePage>
  );
}

/** Edits the budget as it was when the page was opened; says so when it is changed meanwhile. */
function Editing({ newest }: { newest: ShownBudget }) {
  const [budget, setBudget] = useState(newest);
  const { act, isBusy, problem, clear } = useAct(UpdateBudget);
  const [, go] = useLocation();

  async function save(changes: BudgetChanges): Promise<void> {
    const saved = await act({ input: { ...changes, id: budget.id, ifGeneration: budget.generation } });
    if (saved === null) return;
    showNotice("The budget has been saved.");
    go(`/budgets/${budget.uuid}`);
  }

  return (
    <>
      {newest.generation !== budget.generation && (
        <EditConflict
          what="budget"
          by={newest.updatedBy.name}
          href={`/budgets/${newest.uuid}`}
          generation={newest.generation}
          onLoad={() => {
            clear();
            setBudget(newest);
          }}
        />
      )}
      <BudgetForm
        key={budget.generation}
        initial={toTypedBudget(budget)}
        isNew={false}
        sendLabel="Save budget"
        onSave={(changes) => void save(changes)}
        isBusy={isBusy}
        problem={problem}
      />
    </>
  );
}
