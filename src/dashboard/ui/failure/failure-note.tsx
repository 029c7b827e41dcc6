import { Json } from "../json.tsx";

/** Says why something failed, as its agent, its robot or the service wrote it. Nothing where nothing did. */
export function FailureNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { code, message, rest } = parseFailure(error);
  return (
    <section className="notice notice-bad stack-s" aria-label="Error">
      <p>
        <span className="notice-title">{message ?? "It failed"}</span>
        {code !== null && <> ({code})</>}
      </p>
      {rest !== null && <Json value={rest} label="More of the error" />}
    </section>
  );
}

/** An error as agents, robots and the service write it: a code or type, a sentence, and what else they knew. */
type ShownFailure = { code: string | null; message: string | null; rest: unknown };

/** Takes an error apart. `rest` is null where code and message were all, and whether to try again. */
function parseFailure(error: unknown): ShownFailure {
  if (typeof error !== "object" || error === null) return { code: null, message: null, rest: error };
  // What the line above holds to be an object is read by names.
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
