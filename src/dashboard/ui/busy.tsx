import { useEffect, useState } from "react";

const PATIENCE_MS = 1000;

export type BusyProps = {
  isBusy: boolean;
  label?: string;
  /** How many grey lines stand for what is not there yet. None where something is shown meanwhile. */
  lines?: number;
};

/** A loading indicator: grey lines within 100 ms, words after a second. */
export function Busy({ isBusy, label = "Loading…", lines = 0 }: BusyProps) {
  const isLong = useIsLong(isBusy);
  return (
    <>
      <div className="busy" role="status">
        {isBusy && isLong && (
          <>
            <span className="busy-bar" aria-hidden="true" />
            <span className="small soft">{label}</span>
          </>
        )}
      </div>
      {isBusy && lines > 0 && (
        <div className="skeleton" aria-hidden="true">
          {Array.from({ length: lines }, (_, line) => (
            <span key={line} />
          ))}
        </div>
      )}
    </>
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
