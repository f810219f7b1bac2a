import type { ModelLimits } from '../../domain/pricing/model-limits.ts';
import type { TextCall } from '../protocol/calls.ts';
import { mayThink } from '../protocol/model-traits.ts';
import { producesText } from '../protocol/operations.ts';

/*
 * What a call can hold and produce at most where its body does not tell. The reservation of a call and the
 * bound of its reported usage are both taken from here, so that neither can exceed the other.
 */

/** The longest output of any model in use: thoughts may take all of it. */
export const maxThoughtTokens = 131_072;
/** A picture or a document of any size. */
export const tokensPerPicture = 65_536;

/** Input that is not in the body, in tokens: all of the window where a provider keeps or fetches it. */
export const unseenInput = ({ scan }: Pick<TextCall, 'scan'>, { input }: ModelLimits): number =>
  scan.pictures * tokensPerPicture + (scan.kept > 0 ? input : 0);

/** How the output of a call can end. */
type Output = Readonly<{ outputLimit: number | null }>;

/** Thoughts that no limit of the call bounds. */
const thinksFreely = ({ operation, model }: TextCall, { outputLimit }: Output): boolean =>
  outputLimit === null && producesText(operation) && mayThink(model);

/** An answer in one piece, which cannot be cut while it is produced. */
const isWhole = ({ operation, isStream }: TextCall, { outputLimit }: Output): boolean =>
  outputLimit === null && !isStream && producesText(operation);

/** What an open call may cost beyond its estimate, in tokens; null: its estimate bounds it. */
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
