import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import "./evaluations.css";
import { RunList } from "./list/run-list.tsx";
import { RunPage } from "./page/run-page.tsx";

export function EvaluationsView() {
  return (
    <Switch>
      <Route path="/evaluations">
        <RunList />
      </Route>
      <Route path="/evaluations/:uuid">
        {({ uuid }) =>
          isUuid(uuid) ? <RunPage key={uuid} uuid={uuid} /> : <NotFound what="evaluation run" />
        }
      </Route>
      <Route>
        <NotFound what="evaluation run" />
      </Route>
    </Switch>
  );
}
