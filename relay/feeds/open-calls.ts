import { limitsOfModel, type ModelLimits } from '../../domain/pricing/model-limits.ts';
import { parseObject } from '../protocol/json.ts';

/** What calls of unknown size are reserved by. */
export type OpenCallSettings = Readonly<{
  /** The share of what a call may cost below which it is refused. */
  floor: number;
  allowanceOf: (model: string) => ModelLimits;
}>;

const defaultFloor = 0.1;

const countsOf = (text: string | undefined): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(parseObject(text ?? '{}') ?? {}).flatMap(([model, value]) =>
      typeof value === 'number' && value > 0 ? [[model, value] as const] : [],
    ),
  );

/** The operator's allowances of models, else what their makers publish. */
export const openCallSettingsOf = (texts: ReadonlyMap<string, string>): OpenCallSettings => {
  const input = countsOf(texts.get('open_calls.input_tokens'));
  const output = countsOf(texts.get('open_calls.output_tokens'));
  const floor = Number(texts.get('open_calls.floor') ?? defaultFloor);
  return {
    floor: floor >= 0 && floor <= 1 ? floor : defaultFloor,
    allowanceOf: (model) => {
      const own = limitsOfModel(model);
      return { input: input.get(model) ?? own.input, output: output.get(model) ?? own.output };
    },
  };
};
