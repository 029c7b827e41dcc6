import { createRandom } from "./random.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** Fills the `{slots}` of a template. The same writer always fills a slot with the same value. */
export type Writer = (template: string) => string;

/**
 * Creates a writer.
 *
 * @param given values for some slots, instead of the vocabulary's.
 */
export function createWriter(seed: string, given: Readonly<Record<string, string>> = {}): Writer {
  return (template) =>
    template.replaceAll(/\{(\w+)\}/g, (_slot, name: string) => given[name] ?? pickWord(seed, name));
}

function pickWord(seed: string, name: string): string {
  // `product2` is a different product than `product`, from the same words.
  const choose = VOCABULARY[name.replace(/\d$/, "")];
  if (choose === undefined) throw new Error(`the vocabulary has no ${name}`);
  return choose(createRandom(`${seed} ${name}`));
}
