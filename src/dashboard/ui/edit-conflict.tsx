import { Link } from "wouter";

export type EditConflictProps = {
  /** What is edited, such as "policy". */
  what: string;
  /** Who changed it. */
  by: string;
  href: string;
  /** The newest. */
  generation: number;
  /** Begins anew with the newest. */
  onLoad: () => void;
};

/** Says that what is edited was changed by somebody else meanwhile. */
export function EditConflict({ what, by, href, generation, onLoad }: EditConflictProps) {
  return (
    <div className="notice notice-warn note" role="status">
      <p>
        {by} changed this {what} while you were editing. What you entered can’t be saved over{" "}
        <Link href={href}>version {generation}</Link>.
      </p>
      <button type="button" className="button button-small" onClick={onLoad}>
        Discard my changes and edit version {generation}
      </button>
    </div>
  );
}
