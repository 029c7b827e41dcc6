import { type Store, createStore } from "../../data/store.ts";

/** What a person prefers in this browser. */
export type Preference<Value extends string> = {
  options: readonly Value[];
  chosen: Omit<Store<Value>, "set">;
  choose: (value: Value) => void;
};

const YEAR_S = 31_536_000;

/**
 * Keeps a preference in a cookie. The first option is the default. `show` applies a value to the page; it is called at
 * once, and after each choice.
 */
export function createPreference<Value extends string>(
  cookie: string,
  options: readonly [Value, ...Value[]],
  show: (value: Value) => void,
): Preference<Value> {
  const kept = readCookie(cookie);
  const store = createStore(options.find((option) => option === kept) ?? options[0]);
  show(store.get());
  return {
    options,
    chosen: store,
    choose: (value) => {
      const age = value === options[0] ? 0 : YEAR_S;
      document.cookie = `${cookie}=${value}; path=/; max-age=${age}; samesite=lax`;
      show(value);
      store.set(value);
    },
  };
}

function readCookie(name: string): string | null {
  const pair = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? null;
}
