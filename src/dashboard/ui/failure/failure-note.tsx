import { Json } from "../json.tsx";

/** Shows the error of a failed task, command or mission. Renders nothing without an error. */
export function FailureNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { code, message, rest } = parseFailure(error);
  return (
    <section className="notice notice-bad stack-s" aria-label="Error">
      <p>
        <span className="notice-title">{message ?? "Failed"}</span>
        {code !== null && <> ({code})</>}
      </p>
      {rest !== null && <Json value={rest} label="Error details" />}
    </section>
  );
}

/** An error's code or type, its message, and other fields. */
type ShownFailure = { code: string | null; message: string | null; rest: unknown };

/** Parses an error. `rest` is null if there is nothing beyond code, message and `retryable`. */
function parseFailure(error: unknown): ShownFailure {
  if (typeof error !== "object" || error === null) return { code: null, message: null, rest: error };
  // Checked to be an object above.
  const { code, type, message, detail, retryable: _retryable, ...rest } = error as Record<string, unknown>;
  const known = Object.entries(rest).filter(([, value]) => value !== null);
  return {
    code: toText(code) ?? toText(type),
    message: toText(message) ?? toText(detail),
    rest: known.length === 0 ? null : Object.fromEntries(known),
  };
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
