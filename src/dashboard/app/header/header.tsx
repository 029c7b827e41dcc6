import { liveStatus } from "../../data/live/status.ts";
import { sessionEnd } from "../../data/session.ts";
import { useStore } from "../../data/store.ts";
import { useViewer } from "../../data/viewer.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { formatDuration } from "../../ui/words.ts";
import { StopButton } from "../emergency-stop/stop-button.tsx";
import { openPalette } from "../palette/palette-state.ts";
import { PersonMenu } from "./person-menu.tsx";
import { Link } from "wouter";

export function Header() {
  const { workspaceName } = useViewer();
  return (
    <header className="bar bar-sticky">
      <div className="bar-inner bar-wide">
        <Logo />
        <span className="bar-workspace">
          <span className="visually-hidden">Workspace: </span>
          {workspaceName}
        </span>
        <LiveState />
        <div className="bar-acts">
          <button type="button" className="button button-small bar-find" onClick={openPalette}>
            <Icon name="search" />
            <span className="bar-find-label">Find</span> <kbd>Ctrl K</kbd>
          </button>
          <StopButton />
          <PersonMenu />
        </div>
      </div>
    </header>
  );
}

/** Whether the data is live, or how old it is. */
function LiveState() {
  const now = useNow();
  const end = useStore(sessionEnd);
  const { state, lastMessageAt } = useStore(liveStatus);
  if (end !== null) return <span className="live live-bad">Session ended</span>;
  if (state === "live") return <span className="live live-good">Live</span>;
  if (state === "connecting") return <span className="live">Connecting…</span>;
  // The label doesn't change every second, so screen readers announce it only once.
  return (
    <span className="live live-warn" role="status" aria-label="Reconnecting, data may be outdated">
      <span aria-hidden="true">Reconnecting, data is {formatDuration((now - lastMessageAt) / 1000)} old</span>
    </span>
  );
}

/** The logo, linked to the start page, as on the server-rendered pages. */
function Logo() {
  return (
    <Link className="logo" href="/">
      <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true" focusable="false">
        <rect width="28" height="28" rx="8" fill="currentColor" />
        <path className="logo-line" d="M7.5 20 14 8l6.5 12" />
        <circle className="logo-dot" cx="14" cy="17.6" r="2.1" />
      </svg>
      <span>Agent Ops</span>
    </Link>
  );
}
