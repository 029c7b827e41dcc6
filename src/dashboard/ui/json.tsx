const WIDE = 2;
const LONG = 20;

/** A JSON value. Long values are collapsed. `label` is for screen readers. */
export function Json({ value, label = "JSON" }: { value: unknown; label?: string }) {
  const text = JSON.stringify(value, null, WIDE) ?? "null";
  const lines = text.split("\n").length;
  const shown = (
    // Scrollable, so it must be focusable by keyboard.
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
