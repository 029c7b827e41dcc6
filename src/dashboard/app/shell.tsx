import { Suspense } from "react";
import { Route, Switch } from "wouter";
import type { SessionEnd } from "../data/session.ts";
import { Busy } from "../ui/busy.tsx";
import { Notice } from "../ui/notice.tsx";
import { StopBanner } from "./emergency-stop/stop-banner.tsx";
import { Header } from "./header/header.tsx";
import { GapNote } from "./gap-note.tsx";
import { Navigation } from "./navigation.tsx";
import { NotFound } from "./not-found.tsx";
import { Palette } from "./palette/palette.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { useAnnouncedView } from "./use-announced-view.ts";
import { useIsStale } from "./use-is-stale.ts";
import { ViewBoundary } from "./view-boundary.tsx";
import { VIEWS } from "./views.ts";

/** The frame around every view. */
export function Shell({ end }: { end: SessionEnd | null }) {
  const isStale = useIsStale() || end !== null;
  const [here, main] = useAnnouncedView();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <div className="frame frame-wide">
        <Navigation />
        <main className="frame-main" id="main" ref={main} data-stale={isStale || undefined}>
          {end !== null && <SessionEnded end={end} />}
          <StopBanner />
          <GapNote />
          <ViewBoundary key={here}>
            <Suspense fallback={<Busy isBusy />}>
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
            </Suspense>
          </ViewBoundary>
        </main>
      </div>
      <Palette />
      <Notice />
    </>
  );
}
