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
import { useIsStale } from "./use-is-stale.ts";
import { usePlace } from "./use-place.ts";
import { ViewBoundary } from "./view-boundary.tsx";
import { VIEWS } from "./views.ts";

/** The frame around every view. */
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
