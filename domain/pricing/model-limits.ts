import limits from './model-limits.json' with { type: 'json' };

/** Most tokens of one call. */
export type ModelLimits = Readonly<{
  /** The context window. */
  input: number;
  /** Output, thoughts included. */
  output: number;
}>;

/** As makers publish them (LiteLLM's price file, MIT). */
const published: Readonly<Record<string, readonly number[]>> = limits;

/** Of models that no list has. */
const fallback: ModelLimits = { input: 200_000, output: 65_536 };

/** `-20241022`, `-2024-10-22`: editions have the limits of their model. */
const edition = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview|exp)$/;

const pairOf = (name: string): readonly number[] | undefined =>
  Object.hasOwn(published, name) ? published[name] : undefined;

/** Context window and output limit of a model, in tokens. */
export const limitsOfModel = (model: string): ModelLimits => {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const [input, output] = pairOf(name) ?? pairOf(name.replace(edition, '')) ?? [];
  return input === undefined || output === undefined ? fallback : { input, output };
};
