import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isTraceId } from "../../data/trace-id.ts";
import { ComparePage } from "./compare/compare-page.tsx";
import { TraceList } from "./list/trace-list.tsx";
import { TracePage } from "./page/trace-page.tsx";
import "./traces.css";

/** The list of traces, one trace, and two next to each other. */
export function TracesView() {
  return (
    <Switch>
      <Route path="/traces">
        <TraceList />
      </Route>
      <Route path="/traces/:before/compare/:after">
        {({ before, after }) =>
          isTraceId(before) && isTraceId(after) ? (
            <ComparePage key={`${before} ${after}`} before={before} after={after} />
          ) : (
            <NotFound what="trace" />
          )
        }
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
