import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import "./budgets.css";
import { EditBudgetPage } from "./form/edit-budget-page.tsx";
import { NewBudgetPage } from "./form/new-budget-page.tsx";
import { BudgetList } from "./list/budget-list.tsx";
import { BudgetPage } from "./page/budget-page.tsx";

/** The list of budgets, one budget, and the forms to create and edit one. */
export function BudgetsView() {
  return (
    <Switch>
      <Route path="/budgets">
        <BudgetList />
      </Route>
      <Route path="/budgets/new">
        <NewBudgetPage />
      </Route>
      <Route path="/budgets/:uuid/edit">
        {({ uuid }) =>
          isUuid(uuid) ? <EditBudgetPage key={uuid} uuid={uuid} /> : <NotFound what="budget" />
        }
      </Route>
      <Route path="/budgets/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <BudgetPage key={uuid} uuid={uuid} /> : <NotFound what="budget" />)}
      </Route>
      <Route>
        <NotFound what="budget" />
      </Route>
    </Switch>
  );
}
