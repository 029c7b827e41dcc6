import { type SessionEnd, logInAddress } from "../data/session.ts";

/** Says that nothing can be asked any more, and how to go on. */
export function SessionEnded({ end }: { end: SessionEnd }) {
  return (
    <div className="notice notice-bad note" role="alert">
      <div>
        <p className="notice-title">
          {end === "suspended" ? "This workspace is suspended." : "Your session has ended."}
        </p>
        <p>What you see is no longer kept up to date.</p>
      </div>
      <a className="button button-small" href={logInAddress()}>
        Log in again
      </a>
    </div>
  );
}
