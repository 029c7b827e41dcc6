import { useSearchParams } from "wouter";

/** State kept in the URL's query, by name. All values are strings; "" means not set. */
export type UrlState<Name extends string> = {
  values: Readonly<Record<Name, string>>;
  /** Changes some values and goes back to the first page. */
  set: (changes: Partial<Record<Name, string>>) => void;
  /** Props for a field bound to a value. */
  bind: (name: Name) => { name: Name; value: string; onChange: (value: string) => void };
};

/**
 * Keeps filters, searches and tabs in the URL, so that a view can be linked to. Values equal to their default are
 * omitted.
 */
export function useUrlState<Name extends string>(defaults: Readonly<Record<Name, string>>): UrlState<Name> {
  const [params, setParams] = useSearchParams();
  const names = Object.keys(defaults) as Name[]; // The keys of a record are its names.
  const values = Object.fromEntries(
    names.map((name) => [name, params.get(name) ?? defaults[name]]),
  ) as Record<Name, string>; // It has every name.

  function set(changes: Partial<Record<Name, string>>): void {
    const next = new URLSearchParams(params);
    for (const name of [...names, "after", "before"]) next.delete(name);
    for (const name of names) {
      const value = changes[name] ?? values[name];
      if (value !== defaults[name]) next.set(name, value);
    }
    setParams(next, { replace: true });
  }

  function change(name: Name, value: string): void {
    const changes: Partial<Record<Name, string>> = {};
    changes[name] = value;
    set(changes);
  }

  return {
    values,
    set,
    bind: (name) => ({ name, value: values[name], onChange: (value) => change(name, value) }),
  };
}
