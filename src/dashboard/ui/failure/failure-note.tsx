import { Json } from "../json.tsx";
import { failureOf } from "./failure-of.ts";

/** Says why something failed, as its agent, its robot or the service wrote it. Nothing where nothing did. */
export function FailureNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { code, message, rest } = failureOf(error);
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
