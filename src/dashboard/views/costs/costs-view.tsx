import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { CostsPage } from "./costs-page.tsx";
import { PricesPage } from "./prices/prices-page.tsx";

export function CostsView() {
  return (
    <Switch>
      <Route path="/costs">
        <CostsPage />
      </Route>
      <Route path="/costs/prices">
        <PricesPage />
      </Route>
      <Route>
        <NotFound what="page" />
      </Route>
    </Switch>
  );
}
