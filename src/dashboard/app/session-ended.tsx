import { type SessionEnd, logInAddress } from "../data/session.ts";

/** What has happened, and where it can be mended. */
const ENDS: Record<SessionEnd, { title: string; act: string }> = {
  "logged-out": { title: "Your session has ended.", act: "Log in again" },
  suspended: { title: "This workspace is suspended.", act: "Log in again" },
  "needs-factor": { title: "Your workspace requires a second factor.", act: "Add a second factor" },
};

/** Shown when the session has ended, or may do nothing more, with a link to where it can go on. */
export function SessionEnded({ end }: { end: SessionEnd }) {
  const { title, act } = ENDS[end];
  return (
    <div className="notice notice-bad note" role="alert">
      <div>
        <p className="notice-title">{title}</p>
        <p>This page is no longer updated.</p>
      </div>
      <a
        className="button button-small"
        href={end === "needs-factor" ? "/settings/security" : logInAddress()}
      >
        {act}
      </a>
    </div>
  );
}
