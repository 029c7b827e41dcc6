import { createRandom } from "./random.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** Fills the `{slots}` of a template. A slot has one meaning wherever the same writer meets it. */
export type Writer = (template: string) => string;

/**
 * Makes the writer of one story.
 *
 * @param given what some slots mean in this story, in place of the vocabulary's choice.
 */
export function createWriter(seed: string, given: Readonly<Record<string, string>> = {}): Writer {
  return (template) =>
    template.replaceAll(/\{(\w+)\}/g, (_slot, name: string) => given[name] ?? pickWord(seed, name));
}

function pickWord(seed: string, name: string): string {
  // `product2` is another product than `product`, from the same choice of words.
  const choose = VOCABULARY[name.replace(/\d$/, "")];
  if (choose === undefined) throw new Error(`the vocabulary has no ${name}`);
  return choose(createRandom(`${seed} ${name}`));
}
