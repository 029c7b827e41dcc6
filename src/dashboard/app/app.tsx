import { useStore } from "../data/store.ts";
import { sessionEnd } from "../data/session.ts";
import { ViewerProvider, useViewerQuery } from "../data/viewer.tsx";
import { Busy } from "../ui/busy.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { Shell } from "./shell.tsx";

/** The dashboard. Renders the views once the viewer is loaded. */
export function App() {
  const end = useStore(sessionEnd);
  const { data: viewer, problem, isLoading, refresh } = useViewerQuery();
  if (viewer === null) {
    return (
      <main className="gate-main">
        <h1 className="visually-hidden">Agent Ops</h1>
        {end === null ? <ErrorNote problem={problem} onRetry={refresh} /> : <SessionEnded end={end} />}
        <Busy isBusy={isLoading} />
      </main>
    );
  }
  return (
    <ViewerProvider viewer={viewer}>
      <Shell end={end} />
    </ViewerProvider>
  );
}
