import { type KeyboardEvent, useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useSearch } from "../../../data/use-search.ts";
import { Busy } from "../../../ui/busy.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { type FloorPlan, useFloorPlans } from "../../robots/map/floor-plans.ts";
import { MapPlot } from "../../robots/map/map-plot.tsx";
import { type PlacedRobot, groupByMap } from "../../robots/map/placed-robot.ts";
import type { Spot } from "./step-types.ts";

const RobotPlaces = graphql(`
  query RobotPlaces {
    robots(first: 100) {
      nodes {
        id
        uuid
        status
        position
        agent {
          id
          name
        }
      }
    }
  }
`);

export type SpotDialogProps = {
  isOpen: boolean;
  spot: Spot | null;
  onClose: () => void;
  onChoose: (spot: Spot) => void;
};

/** Chooses a place on a map, by a click or by its coordinates. */
export function SpotDialog({ isOpen, onClose, ...chosen }: SpotDialogProps) {
  return (
    <Dialog title="Choose a place" isOpen={isOpen} onClose={onClose}>
      <SpotChoice {...chosen} onClose={onClose} />
    </Dialog>
  );
}

function SpotChoice({ spot, onChoose, onClose }: Omit<SpotDialogProps, "isOpen">) {
  const { data, problem, isLoading } = useSearch(RobotPlaces, {});
  const { plans } = useFloorPlans();
  const maps = groupByMap(data?.robots.nodes ?? [], plans);
  return (
    <>
      <ErrorNote problem={problem} />
      <Busy isBusy={isLoading} lines={data === null ? 6 : 0} />
      {data !== null && maps.length === 0 && (
        <p>No robot has told its position yet, so no map is known. Enter a station instead.</p>
      )}
      {maps.length > 0 && (
        <SpotForm maps={maps} plans={plans} spot={spot} onChoose={onChoose} onClose={onClose} />
      )}
    </>
  );
}

type SpotFormProps = Omit<SpotDialogProps, "isOpen"> & {
  maps: readonly (readonly [mapId: string, robots: readonly PlacedRobot[]])[];
  plans: ReadonlyMap<string, FloorPlan>;
};

function SpotForm({ maps, plans, spot, onChoose, onClose }: SpotFormProps) {
  const [mapId, setMapId] = useState(spot?.mapId ?? maps[0]?.[0] ?? "");
  const [typed, setTyped] = useState<Typed>({ x: toText(spot?.x), y: toText(spot?.y) });
  const [x, y] = [Number(typed.x), Number(typed.y)];
  const isPlace = typed.x !== "" && typed.y !== "" && Number.isFinite(x) && Number.isFinite(y);
  const robots = maps.find(([id]) => id === mapId)?.[1] ?? [];

  function choose(): void {
    if (!isPlace) return;
    onChoose({ x, y, mapId });
    onClose();
  }

  return (
    // Enter must not send the form that the dialog is opened from.
    <div className="stack-m" onKeyDown={(event) => handleEnter(event, choose)}>
      {maps.length > 1 && (
        <SelectField
          label="Map"
          name="map"
          value={mapId}
          options={maps.map(([id]) => [id, id])}
          onChange={setMapId}
        />
      )}
      <MapPlot
        mapId={mapId}
        robots={robots}
        plan={plans.get(mapId) ?? null}
        target={isPlace ? { x, y } : null}
        onPick={(at) => setTyped({ x: toText(at.x), y: toText(at.y) })}
      />
      <Coordinates typed={typed} onChange={setTyped} />
      <div className="actions">
        <button type="button" className="button button-primary" disabled={!isPlace} onClick={choose}>
          Use this place
        </button>
      </div>
    </div>
  );
}

function handleEnter(event: KeyboardEvent, choose: () => void): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  choose();
}

type Typed = { x: string; y: string };

function Coordinates({ typed, onChange }: { typed: Typed; onChange: (typed: Typed) => void }) {
  return (
    <div className="columns">
      {(["x", "y"] as const).map((axis) => (
        <TextField
          key={axis}
          label={`${axis} (m)`}
          name={axis}
          type="number"
          value={typed[axis]}
          onChange={(value) => onChange({ ...typed, [axis]: value })}
        />
      ))}
    </div>
  );
}

/** To the centimetre. */
function toText(metres: number | undefined): string {
  return metres === undefined ? "" : String(Math.round(metres * 100) / 100);
}
