import { useEffect, useState } from "react";

const SHOWN_MS = 3000;

export type CopyButtonProps = {
  text: string;
  /** For screen readers. */
  what: string;
  /** Called where the browser refuses to copy. */
  onRefused?: () => void;
};

/** Copies a text. */
export function CopyButton({ text, what, onRefused }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<string | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("Copied");
    } catch {
      // Browsers allow it on pages over https and on this machine alone.
      setOutcome("Select and copy it");
      onRefused?.();
    }
  }

  return (
    <>
      <button type="button" className="button button-small" onClick={() => void copy()}>
        {outcome ?? "Copy"}
        <span className="visually-hidden"> {what}</span>
      </button>
      <span role="status" className="visually-hidden">
        {outcome}
      </span>
    </>
  );
}
