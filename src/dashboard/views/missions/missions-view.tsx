import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { NewMissionPage } from "./form/new-mission-page.tsx";
import { MissionList } from "./list/mission-list.tsx";
import "./missions.css";
import { MissionPage } from "./page/mission-page.tsx";

/** The list of missions, one mission, and the form for a new one. */
export function MissionsView() {
  return (
    <Switch>
      <Route path="/missions">
        <MissionList />
      </Route>
      <Route path="/missions/new">
        <NewMissionPage />
      </Route>
      <Route path="/missions/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <MissionPage key={uuid} uuid={uuid} /> : <NotFound what="mission" />)}
      </Route>
      <Route>
        <NotFound what="mission" />
      </Route>
    </Switch>
  );
}
