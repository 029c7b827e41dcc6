import { useStore } from "../data/store.ts";
import { sessionEnd } from "../data/session.ts";
import { ViewerProvider, useViewerQuery } from "../data/viewer.tsx";
import { Shell } from "./shell.tsx";

/** The dashboard. */
export function App() {
  const end = useStore(sessionEnd);
  const { data: viewer } = useViewerQuery();
  if (viewer === null) throw new Error("the page does not tell who its viewer is");
  return (
    <ViewerProvider viewer={viewer}>
      <Shell end={end} />
    </ViewerProvider>
  );
}
