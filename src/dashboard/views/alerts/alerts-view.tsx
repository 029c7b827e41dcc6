import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import "./alerts.css";
import { EditAlertPage } from "./form/edit-alert-page.tsx";
import { NewAlertPage } from "./form/new-alert-page.tsx";
import { AlertList } from "./list/alert-list.tsx";
import { AlertPage } from "./page/alert-page.tsx";

/** The list of alert rules, one rule, and the forms to create and edit one. */
export function AlertsView() {
  return (
    <Switch>
      <Route path="/alerts">
        <AlertList />
      </Route>
      <Route path="/alerts/new">
        <NewAlertPage />
      </Route>
      <Route path="/alerts/:uuid/edit">
        {({ uuid }) =>
          isUuid(uuid) ? <EditAlertPage key={uuid} uuid={uuid} /> : <NotFound what="alert rule" />
        }
      </Route>
      <Route path="/alerts/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <AlertPage key={uuid} uuid={uuid} /> : <NotFound what="alert rule" />)}
      </Route>
      <Route>
        <NotFound what="alert rule" />
      </Route>
    </Switch>
  );
}
