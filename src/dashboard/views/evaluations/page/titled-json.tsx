import { Json } from "../../../ui/json.tsx";

/** A JSON value below what it is. `of` tells it from others of its name to who can't see it. */
export function TitledJson({ title, of, value }: { title: string; of: string; value: unknown }) {
  return (
    <div className="evaluations-json stack-s">
      <h3>{title}</h3>
      <Json value={value} label={`${title} of ${of}`} />
    </div>
  );
}
