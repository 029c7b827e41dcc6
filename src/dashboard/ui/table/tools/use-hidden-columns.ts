import { useSearchParams } from "wouter";

const PARAM = "hide";

/** The columns that are hidden, by header, kept in the URL. */
export function useHiddenColumns(): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const [params, setParams] = useSearchParams();
  const hidden = new Set((params.get(PARAM) ?? "").split(",").filter((header) => header !== ""));
  function change(next: ReadonlySet<string>): void {
    const changed = new URLSearchParams(params);
    if (next.size === 0) changed.delete(PARAM);
    else changed.set(PARAM, [...next].join(","));
    setParams(changed, { replace: true });
  }
  return [hidden, change];
}
