import type { Price } from "../price.ts";

/** A model's price in a file, or why it has none that can be set. */
export type FilePrice = { provider: string; model: string; price: Price | string };
