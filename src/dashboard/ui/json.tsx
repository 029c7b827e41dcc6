const WIDE = 2;
const LONG = 20;

/** Any JSON value, to read and to copy. Long values are folded; `label` names it to who can't see it. */
export function Json({ value, label = "JSON" }: { value: unknown; label?: string }) {
  const text = JSON.stringify(value, null, WIDE) ?? "null";
  const lines = text.split("\n").length;
  const shown = (
    // It scrolls, so the keyboard must reach it.
    <pre className="json" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
  if (lines <= LONG) return shown;
  return (
    <details className="changes">
      <summary>
        {label}, {lines} lines
      </summary>
      {shown}
    </details>
  );
}
