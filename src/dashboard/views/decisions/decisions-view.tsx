import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { DecisionList } from "./list/decision-list.tsx";
import "./decisions.css";
import { DecisionPage } from "./page/decision-page.tsx";

/** The list of decisions, and one decision. */
export function DecisionsView() {
  return (
    <Switch>
      <Route path="/decisions">
        <DecisionList />
      </Route>
      <Route path="/decisions/:uuid">
        {({ uuid }) =>
          isUuid(uuid) ? <DecisionPage key={uuid} uuid={uuid} /> : <NotFound what="decision" />
        }
      </Route>
      <Route>
        <NotFound what="decision" />
      </Route>
    </Switch>
  );
}
