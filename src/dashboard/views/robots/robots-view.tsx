import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { RobotList } from "./list/robot-list.tsx";
import { RobotPage } from "./page/robot-page.tsx";
import "./robots.css";

export function RobotsView() {
  return (
    <Switch>
      <Route path="/robots">
        <RobotList />
      </Route>
      <Route path="/robots/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <RobotPage key={uuid} uuid={uuid} /> : <NotFound what="robot" />)}
      </Route>
      <Route>
        <NotFound what="robot" />
      </Route>
    </Switch>
  );
}
