import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { SetModelPrice } from "./prices-query.ts";

const EMPTY = {
  model: "",
  provider: "",
  validFrom: "",
  "prices.input": "",
  "prices.output": "",
  "prices.cacheRead": "",
  "prices.cacheWrite": "",
};

type Typed = typeof EMPTY;

/** A form for what a model's calls cost. The model may be in the URL. */
export function PriceForm() {
  const { values } = useUrlState({ model: "" });
  const [typed, setTyped] = useState({ ...EMPTY, model: values.model });
  const { act, isBusy, problem } = useAct(SetModelPrice);
  function bind(name: keyof Typed) {
    return {
      name,
      value: typed[name],
      problem,
      onChange: (text: string) => setTyped({ ...typed, [name]: text }),
    };
  }

  async function send(): Promise<void> {
    if ((await act({ input: toInput(typed) })) === null) return;
    showNotice(`The price of ${typed.model} has been set.`);
    setTyped(EMPTY);
  }

  return (
    <section className="card stack-m" aria-labelledby="set-price">
      <h2 id="set-price">Set a price</h2>
      <Form sendLabel="Set price" onSend={() => void send()} isBusy={isBusy} problem={problem}>
        <div className="columns">
          <TextField
            label="Model"
            hint="A name, or what names begin with and *."
            isRequired
            {...bind("model")}
          />
          <TextField label="Provider" hint="Default: any." {...bind("provider")} />
          <TextField
            label="From"
            hint="In UTC. Default: always."
            type="datetime-local"
            {...bind("validFrom")}
          />
        </div>
        <p className="small soft">
          Dollars for a million tokens, such as 0.25. It replaces a price from the same time.
        </p>
        <div className="columns">
          <TextField label="Input" hint="What was not cached." isRequired {...bind("prices.input")} />
          <TextField label="Output" hint="Reasoning too." isRequired {...bind("prices.output")} />
          <TextField label="Cached input" hint="Default: as input." {...bind("prices.cacheRead")} />
          <TextField label="Written to the cache" hint="Default: as input." {...bind("prices.cacheWrite")} />
        </div>
      </Form>
    </section>
  );
}

function toInput(typed: Typed) {
  return {
    model: typed.model,
    provider: toOptional(typed.provider),
    validFrom: typed.validFrom === "" ? null : `${typed.validFrom}:00Z`,
    prices: {
      input: typed["prices.input"],
      output: typed["prices.output"],
      cacheRead: toOptional(typed["prices.cacheRead"]),
      cacheWrite: toOptional(typed["prices.cacheWrite"]),
    },
  };
}

function toOptional(text: string): string | null {
  return text.trim() === "" ? null : text;
}
