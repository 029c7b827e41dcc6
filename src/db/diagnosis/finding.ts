/** What a check has found. */
export type Finding = {
  /** Such as `database.version`. */
  check: string;
  status: "ok" | "warn" | "fail";
  /** What is so, for operators. */
  found: string;
  /** What to do about it; null if nothing is to be done. */
  advice: string | null;
};

export function ok(check: string, found: string): Finding {
  return { check, status: "ok", found, advice: null };
}

export function warn(check: string, found: string, advice: string): Finding {
  return { check, status: "warn", found, advice };
}

export function fail(check: string, found: string, advice: string): Finding {
  return { check, status: "fail", found, advice };
}
