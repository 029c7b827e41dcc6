/** What a call used: `cached` is a part of `input`, and `reasoning` of `output`. */
export type Used = { input: number; cached: number; output: number; reasoning: number };

/** What a model is asked: whether it already has what its tool returned. */
export type Asked = { model: string; isInformed: boolean };

export const ARGUMENTS = JSON.stringify({ city: "Bonn" });
export const ANSWER = "It has 12 °C in Bonn.";
