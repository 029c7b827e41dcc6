import { Json } from "../../../ui/json.tsx";

/** A JSON value with a heading. `of` distinguishes values with the same title for screen readers. */
export function TitledJson({ title, of, value }: { title: string; of: string; value: unknown }) {
  return (
    <div className="evaluations-json stack-s">
      <h3>{title}</h3>
      <Json value={value} label={`${title} of ${of}`} />
    </div>
  );
}
