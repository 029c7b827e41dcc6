import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { CostsPage } from "./costs-page.tsx";

export function CostsView() {
  return (
    <Switch>
      <Route path="/costs">
        <CostsPage />
      </Route>
      <Route>
        <NotFound what="page" />
      </Route>
    </Switch>
  );
}
