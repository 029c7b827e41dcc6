import { DeleteTemplate } from "./delete-template.tsx";
import { SaveTemplate, type SaveTemplateProps } from "./save-template.tsx";

export type TemplateActionsProps = Omit<SaveTemplateProps, "onSaved"> & {
  /** Called with the name of the saved template, or with null when it has been deleted. */
  onChange: (from: string | null) => void;
};

/** Saves what the form has as a template, and deletes the one that it was filled in from. */
export function TemplateActions({ from, onChange, ...save }: TemplateActionsProps) {
  return (
    <div className="actions missions-template">
      <SaveTemplate from={from} {...save} onSaved={onChange} />
      {from !== null && <DeleteTemplate name={from} onDeleted={() => onChange(null)} />}
    </div>
  );
}
