import { type SessionEnd, logInAddress } from "../data/session.ts";

/** Shown when the session has ended, with a link to log in. */
export function SessionEnded({ end }: { end: SessionEnd }) {
  return (
    <div className="notice notice-bad note" role="alert">
      <div>
        <p className="notice-title">
          {end === "suspended" ? "This workspace is suspended." : "Your session has ended."}
        </p>
        <p>This page is no longer updated.</p>
      </div>
      <a className="button button-small" href={logInAddress()}>
        Log in again
      </a>
    </div>
  );
}
