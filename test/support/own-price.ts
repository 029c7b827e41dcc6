/** A price that a workspace may set. */
export const OWN_PRICE = { model: "our-model", prices: { input: "3", output: "15" } };
