import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { BatchPage } from "./batch/batch-page.tsx";
import "./commands.css";
import { NewCommandPage } from "./form/new-command-page.tsx";
import { CommandList } from "./list/command-list.tsx";
import { CommandPage } from "./page/command-page.tsx";

/** The list of commands, one command, a batch, and the form for a new one. */
export function CommandsView() {
  return (
    <Switch>
      <Route path="/commands">
        <CommandList />
      </Route>
      <Route path="/commands/new">
        <NewCommandPage />
      </Route>
      <Route path="/commands/batches/:batchId">
        {({ batchId }) =>
          isUuid(batchId) ? <BatchPage key={batchId} batchId={batchId} /> : <NotFound what="batch" />
        }
      </Route>
      <Route path="/commands/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <CommandPage key={uuid} uuid={uuid} /> : <NotFound what="command" />)}
      </Route>
      <Route>
        <NotFound what="command" />
      </Route>
    </Switch>
  );
}
