import { Json } from "../../../ui/json.tsx";
import { failureOf } from "../../tasks/page/failure-of.ts";

/** Why a mission ended as it did. Nothing where nothing went wrong. */
export function WhyEnded({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { code, message, rest } = failureOf(error);
  return (
    <section className="notice notice-bad stack-s" aria-label="Why it ended">
      <p>
        <span className="notice-title">{message ?? "It went wrong"}</span>
        {code !== null && <> ({code})</>}
      </p>
      {rest !== null && <Json value={rest} label="More of the error" />}
    </section>
  );
}
