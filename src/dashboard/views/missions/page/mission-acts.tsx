import { useMemo, useState } from "react";
import { Link } from "wouter";
import { usePaletteEntries } from "../../../app/palette/entries.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { type MissionAct, MISSION_ACTS, listMissionActs } from "./acts.ts";
import { ActDialog } from "./act-dialog.tsx";
import type { ShownMission } from "./mission-query.ts";

/** Actions on a mission. Hidden if the user may not use them. */
export function MissionActs({ mission }: { mission: ShownMission }) {
  const [chosen, setChosen] = useState<MissionAct | null>(null);
  const mayAct = useIsAtLeast("OPERATOR");
  const { status, cancelRequestedAt } = mission;
  const acts = useMemo(
    () => (mayAct ? listMissionActs(status, cancelRequestedAt !== null) : []),
    [mayAct, status, cancelRequestedAt],
  );
  const entries = useMemo(
    () =>
      acts.map((act) => ({
        key: `mission-${act}`,
        label: MISSION_ACTS[act].title,
        kind: "Action",
        to: () => setChosen(act),
      })),
    [acts],
  );
  usePaletteEntries(entries);
  return (
    <>
      {acts.map((act) => (
        <button
          key={act}
          type="button"
          className={act === "force" ? "button button-danger" : "button"}
          onClick={() => setChosen(act)}
        >
          {MISSION_ACTS[act].label}
        </button>
      ))}
      {mayAct && (
        <Link className="button" href={`/missions/new?like=${mission.uuid}`}>
          Again
        </Link>
      )}
      {chosen !== null && (
        <ActDialog act={chosen} mission={mission} stepKey={null} onClose={() => setChosen(null)} />
      )}
    </>
  );
}
