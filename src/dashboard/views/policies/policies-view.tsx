import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { EditPolicyPage } from "./form/edit-policy-page.tsx";
import { NewPolicyPage } from "./form/new-policy-page.tsx";
import { ImportPage } from "./file/import-page.tsx";
import { HistoryPage } from "./history/history-page.tsx";
import { PolicyList } from "./list/policy-list.tsx";
import { PolicyPage } from "./page/policy-page.tsx";
import "./policies.css";
import { TestPage } from "./try/test-page.tsx";

/** The list of policies, one policy, and the forms to create and edit one. */
export function PoliciesView() {
  return (
    <Switch>
      <Route path="/policies">
        <PolicyList />
      </Route>
      <Route path="/policies/new">
        <NewPolicyPage />
      </Route>
      <Route path="/policies/import">
        <ImportPage />
      </Route>
      <Route path="/policies/test">
        <TestPage />
      </Route>
      <Route path="/policies/:uuid/edit">
        {({ uuid }) =>
          isUuid(uuid) ? <EditPolicyPage key={uuid} uuid={uuid} /> : <NotFound what="policy" />
        }
      </Route>
      <Route path="/policies/:uuid/history">
        {({ uuid }) => (isUuid(uuid) ? <HistoryPage key={uuid} uuid={uuid} /> : <NotFound what="policy" />)}
      </Route>
      <Route path="/policies/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <PolicyPage key={uuid} uuid={uuid} /> : <NotFound what="policy" />)}
      </Route>
      <Route>
        <NotFound what="policy" />
      </Route>
    </Switch>
  );
}
