import { useEffect, useState } from "react";

const PATIENCE_MS = 1000;

/** A loading indicator, shown after one second. */
export function Busy({ isBusy, label = "Loading…" }: { isBusy: boolean; label?: string }) {
  const isLong = useIsLong(isBusy);
  return (
    <div className="busy" role="status">
      {isBusy && isLong && (
        <>
          <span className="busy-bar" aria-hidden="true" />
          <span className="small soft">{label}</span>
        </>
      )}
    </div>
  );
}

function useIsLong(isBusy: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setIsLong(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isBusy]);
  return isLong;
}
