import { lastGap, liveStatus } from "../data/live/status.ts";
import type { SessionEnd } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { noteNewView } from "../ui/new-view.ts";
import { useNow } from "../ui/use-now.ts";
import { StopBanner } from "./emergency-stop/stop-banner.tsx";
import { Header } from "./header/header.tsx";
import { Navigation } from "./navigation.tsx";
import { NotFound } from "./not-found.tsx";
import { Overlays } from "./overlays.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { ViewBoundary } from "./view-boundary.tsx";
import { VIEWS } from "./views.ts";
import { useLayoutEffect, useRef } from "react";
import { Route, Switch, useLocation } from "wouter";

/** The layout around every view. */
export function Shell({ end }: { end: SessionEnd | null }) {
  const isStale = useIsStale() || end !== null;
  const place = usePlace();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <div className="frame frame-wide">
        <Navigation />
        <main className="frame-main" id="main" data-stale={isStale || undefined}>
          {end !== null && <SessionEnded end={end} />}
          <StopBanner />
          <GapNote />
          <ViewBoundary place={place}>
            <Switch>
              {VIEWS.map(({ path, Component }) => (
                <Route key={path} path={path === "/" ? path : `${path}/*?`}>
                  <Component />
                </Route>
              ))}
              <Route>
                <NotFound what="view" />
              </Route>
            </Switch>
          </ViewBoundary>
        </main>
      </div>
      <Overlays />
    </>
  );
}

const SHOWN_MS = 15_000;

/** Shown after events were missed and everything was reloaded. */
function GapNote() {
  const at = useStore(lastGap);
  const now = useNow();
  if (at === null || now - at > SHOWN_MS) return null;
  return (
    <p className="notice notice-warn" role="status">
      Some events were missed, so all data has been reloaded.
    </p>
  );
}

const STALE_MS = 5000;

/** Whether the data may be outdated: the connection has been lost for some seconds. */
function useIsStale(): boolean {
  const now = useNow();
  const { state, lastMessageAt } = useStore(liveStatus);
  return state !== "live" && now - lastMessageAt > STALE_MS;
}

/** The current path. Navigation scrolls to the top and focuses the heading, as on a page load. */
function usePlace(): string {
  const [path] = useLocation();
  const before = useRef(path);
  useLayoutEffect(() => {
    if (before.current === path) return;
    before.current = path;
    window.scrollTo(0, 0);
    noteNewView();
  }, [path]);
  return path;
}
