import { createPortal } from "react-dom";
import { Router } from "wouter";
import { sessionEnd } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { ViewerProvider, useViewerQuery } from "../data/viewer.tsx";
import { StopBanner } from "./emergency-stop/stop-banner.tsx";
import { Header } from "./header/header.tsx";
import { Overlays } from "./overlays.tsx";
import { SessionEnded } from "./session-ended.tsx";

/**
 * The dashboard's header, emergency stops and palette around a page that the server renders, whose own header is shown
 * until this is.
 *
 * @param notes the element for emergency stops, in the page.
 */
export function SettingsFrame({ notes }: { notes: HTMLElement }) {
  const end = useStore(sessionEnd);
  const { data: viewer } = useViewerQuery();
  if (viewer === null) return null;
  return (
    <Router hook={atLoadedPage}>
      <ViewerProvider viewer={viewer}>
        <Header />
        {createPortal(
          <>
            {end !== null && <SessionEnded end={end} />}
            <StopBanner />
          </>,
          notes,
        )}
        <Overlays />
      </ViewerProvider>
    </Router>
  );
}

/** Every link loads its page: the views aren't here. */
function atLoadedPage(): [path: string, go: (path: string) => void] {
  return [window.location.pathname, loadPage];
}

function loadPage(path: string): void {
  window.location.assign(path);
}
