import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import "./agents.css";
import { AgentList } from "./list/agent-list.tsx";
import { AgentPage } from "./page/agent-page.tsx";

export function AgentsView() {
  return (
    <Switch>
      <Route path="/agents">
        <AgentList />
      </Route>
      <Route path="/agents/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <AgentPage key={uuid} uuid={uuid} /> : <NotFound what="agent" />)}
      </Route>
      <Route>
        <NotFound what="agent" />
      </Route>
    </Switch>
  );
}
