import type { ModelLimits } from '../../domain/pricing/model-limits.ts';
import type { TextCall } from '../protocol/calls.ts';
import { mayThink } from '../protocol/model-traits.ts';
import { producesText } from '../protocol/operations.ts';

/*
 * The bound of a call where its body does not give it: content by id or address, output without a limit. Both
 * the reservation and the bound of the reported usage use it. Text and named limits are bounded in
 * settlement/usage-bound.ts, more generously than they are reserved.
 */

/** The longest output of any model in use; all of it can be thoughts. */
export const maxThoughtTokens = 131_072;
/** A picture or a document of any size. */
export const tokensPerPicture = 65_536;

/** Input that is not in the body, in tokens: all of the window where a provider stores or fetches it. */
export const unseenInput = ({ scan }: Pick<TextCall, 'scan'>, { input }: ModelLimits): number =>
  scan.pictures * tokensPerPicture + (scan.kept > 0 ? input : 0);

/** Output tokens over all choices that the caller allows; null: no limit named. */
type Output = Readonly<{ outputLimit: number | null }>;

/** Thoughts that no limit of the call bounds. */
const thinksFreely = ({ operation, model }: TextCall, { outputLimit }: Output): boolean =>
  outputLimit === null && producesText(operation) && mayThink(model);

/** An answer in one piece, which cannot be cut while it is produced. */
const isWhole = ({ operation, isStream }: TextCall, { outputLimit }: Output): boolean =>
  outputLimit === null && !isStream && producesText(operation);

/** An open call: what it can cost beyond its estimate, in tokens. */
export type OpenCall = Readonly<{
  input: number;
  output: number | null;
  /** It is refused where less than the operator's share of its bound is free. */
  hasFloor: boolean;
}>;

export const openCallOf = (
  call: TextCall,
  output: Output,
  limits: ModelLimits,
): OpenCall | null => {
  if (call.media !== undefined) return null;
  const input = unseenInput(call, limits);
  const thinks = thinksFreely(call, output);
  if (input === 0 && !thinks && !isWhole(call, output)) return null;
  const whole = isWhole(call, output) ? limits.output : null;
  return {
    input,
    output: thinks ? Math.max(limits.output, maxThoughtTokens) : whole,
    hasFloor: input > 0 || thinks,
  };
};
