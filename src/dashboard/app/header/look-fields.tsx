import { useStore } from "../../data/store.ts";
import { SelectField } from "../../ui/form/select-field.tsx";
import { density } from "../../ui/look/density.ts";
import type { Preference } from "../../ui/look/preference.ts";
import { theme } from "../../ui/look/theme.ts";
import { toWords } from "../../ui/words.ts";

/** Chooses how the dashboard looks in this browser. */
export function LookFields() {
  return (
    <div className="popover-fields">
      <PreferenceField label="Theme" preference={theme} />
      <PreferenceField label="Density" preference={density} />
    </div>
  );
}

type PreferenceFieldProps<Value extends string> = { label: string; preference: Preference<Value> };

function PreferenceField<Value extends string>({ label, preference }: PreferenceFieldProps<Value>) {
  const { options, chosen, choose } = preference;
  return (
    <SelectField
      label={label}
      name={label.toLowerCase()}
      value={useStore(chosen)}
      options={options.map((option) => [option, toWords(option)])}
      onChange={(value) => {
        const option = options.find((each) => each === value);
        if (option !== undefined) choose(option);
      }}
    />
  );
}
