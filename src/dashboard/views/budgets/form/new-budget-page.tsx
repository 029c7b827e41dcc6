import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { BudgetForm } from "./budget-form.tsx";
import { type BudgetChanges, toBudgetRule } from "./budget-input.ts";
import { CreateBudget } from "./budget-mutations.ts";
import { EMPTY_BUDGET, type TypedBudget } from "./typed-budget.ts";

/** The page to create a budget. */
export function NewBudgetPage() {
  const mayCreate = useIsAtLeast("ADMIN");
  const { act, isBusy, problem } = useAct(CreateBudget);
  const [, go] = useLocation();

  async function create(changes: BudgetChanges, typed: TypedBudget): Promise<void> {
    const made = await act({ input: { ...changes, ...toBudgetRule(typed) } });
    if (made === null) return;
    showNotice("The budget has been created.");
    go(`/budgets/${made.createBudget.budget.uuid}`);
  }

  return (
    <Page title="New budget" above={{ href: "/budgets", title: "Budgets" }}>
      {mayCreate ? (
        <BudgetForm
          initial={EMPTY_BUDGET}
          isNew
          sendLabel="Create budget"
          onSave={(changes, typed) => void create(changes, typed)}
          isBusy={isBusy}
          problem={problem}
        />
      ) : (
        <p>You need the admin role to create budgets. Ask an owner.</p>
      )}
    </Page>
  );
}
