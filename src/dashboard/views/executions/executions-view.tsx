import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { ExecutionList } from "./list/execution-list.tsx";
import { ExecutionPage } from "./page/execution-page.tsx";

/** The list of executions, and one execution. */
export function ExecutionsView() {
  return (
    <Switch>
      <Route path="/executions">
        <ExecutionList />
      </Route>
      <Route path="/executions/:uuid">
        {({ uuid }) =>
          isUuid(uuid) ? <ExecutionPage key={uuid} uuid={uuid} /> : <NotFound what="execution" />
        }
      </Route>
      <Route>
        <NotFound what="execution" />
      </Route>
    </Switch>
  );
}
