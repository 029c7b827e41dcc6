import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isTraceId } from "../../data/trace-id.ts";
import { TraceList } from "./list/trace-list.tsx";
import { TracePage } from "./page/trace-page.tsx";
import "./traces.css";

/** The list of traces, and one trace. */
export function TracesView() {
  return (
    <Switch>
      <Route path="/traces">
        <TraceList />
      </Route>
      <Route path="/traces/:traceId">
        {({ traceId }) =>
          isTraceId(traceId) ? <TracePage key={traceId} traceId={traceId} /> : <NotFound what="trace" />
        }
      </Route>
      <Route>
        <NotFound what="trace" />
      </Route>
    </Switch>
  );
}
