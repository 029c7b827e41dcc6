import { useIsAtLeast } from "../../../data/viewer.tsx";
import { useUrlState } from "../../../data/use-url-state.ts";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { formatCount, toWords } from "../../../ui/words.ts";
import { ROBOTS_STATE, ROBOT_STATUSES } from "../list/robot-filter.ts";
import { NO_MAP } from "../parse-position.ts";
import { useFloorPlans } from "./floor-plans.ts";
import { MapPlot } from "./map-plot.tsx";
import { type Mapped, groupByMap } from "./placed-robot.ts";
import { PlanButtons } from "./plan-dialog.tsx";

/** The map in the URL, or the one with most robots. Hidden if no robot has a position. */
export function RobotMaps({ robots }: { robots: readonly Mapped[] }) {
  const { values, set } = useUrlState(ROBOTS_STATE);
  const { plans, refresh } = useFloorPlans();
  const mayEdit = useIsAtLeast("OPERATOR");
  const maps = groupByMap(robots, plans);
  const shown = maps.find(([mapId]) => mapId === values.map) ?? maps[0];
  if (shown === undefined) return null;
  const [mapId, placed] = shown;
  const plan = plans.get(mapId) ?? null;
  const options = maps.map(([id, { length }]): Option => [id, `${id} (${formatCount(length, "robot")})`]);
  return (
    <section className="card robots-map" aria-labelledby="robots-map">
      <div className="row-between">
        <h2 id="robots-map">Map {mapId}</h2>
        {maps.length > 1 && (
          <SelectField
            label="Map"
            name="map"
            value={mapId}
            options={options}
            onChange={(map) => set({ map })}
          />
        )}
        {mayEdit && mapId !== NO_MAP && <PlanButtons mapId={mapId} plan={plan} onChange={refresh} />}
      </div>
      <MapPlot mapId={mapId} robots={placed} plan={plan} />
      <ul className="tags">
        {ROBOT_STATUSES.map((status) => (
          <li key={status} className={`robots-legend robots-${status.toLowerCase()}`}>
            {toWords(status)}
          </li>
        ))}
      </ul>
    </section>
  );
}
