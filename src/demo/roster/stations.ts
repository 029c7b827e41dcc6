/** A place for robots, in metres from the hall's south-west corner. */
export type Station = { x: number; y: number; theta: number; label: string };

export const STATIONS = {
  "receiving-1": { x: 4.2, y: 6.1, theta: 1.57, label: "receiving dock 1" },
  "receiving-2": { x: 9.8, y: 6.1, theta: 1.57, label: "receiving dock 2" },
  "staging-a": { x: 16.4, y: 9.7, theta: 0, label: "staging area A" },
  "staging-b": { x: 16.4, y: 15.2, theta: 0, label: "staging area B" },
  "aisle-a07": { x: 28.5, y: 12.4, theta: 3.14, label: "aisle A07" },
  "aisle-b03": { x: 34.1, y: 18, theta: 3.14, label: "aisle B03" },
  "aisle-b14": { x: 41.7, y: 18, theta: 0, label: "aisle B14" },
  "aisle-c02": { x: 33.2, y: 23.6, theta: 0, label: "aisle C02" },
  "aisle-c11": { x: 39.9, y: 23.6, theta: 3.14, label: "aisle C11" },
  "aisle-d05": { x: 36.6, y: 29.3, theta: 0, label: "aisle D05" },
  "cold-store": { x: 52.3, y: 31.8, theta: -1.57, label: "the cold store" },
  "packing-1": { x: 58.4, y: 10.2, theta: -1.57, label: "packing table 1" },
  "packing-3": { x: 58.4, y: 16.8, theta: -1.57, label: "packing table 3" },
  "returns-bench": { x: 49.1, y: 5.5, theta: 1.57, label: "the returns bench" },
  "shipping-2": { x: 66.9, y: 8.3, theta: 0, label: "shipping lane 2" },
  "shipping-5": { x: 66.9, y: 19.4, theta: 0, label: "shipping lane 5" },
  "gate-east": { x: 71.5, y: 27, theta: 0, label: "the east gate" },
  "gate-north": { x: 38, y: 39.2, theta: 1.57, label: "the north gate" },
  "charger-1": { x: 2.1, y: 30.4, theta: 3.14, label: "charger 1" },
  "charger-4": { x: 2.1, y: 36.4, theta: 3.14, label: "charger 4" },
  workshop: { x: 3.4, y: 41.9, theta: 0, label: "the workshop" },
} as const satisfies Record<string, Station>;

/** The name of one of {@link STATIONS}. */
export type StationName = keyof typeof STATIONS;
