import { isDecimal, type RatioRow } from './ratio-table.ts';

/** What a user types about one model; either a price for each call, or ratios, or prices. */
export type ModelDraft = Readonly<{
  name: string;
  mode: 'token' | 'call';
  by: 'ratio' | 'price';
  ratio: string;
  completion: string;
  /** USD for a million tokens. */
  input: string;
  output: string;
  /** USD for a call. */
  price: string;
}>;

/** A ratio of 1 is this many dollars for a million tokens. */
const dollarsPerRatio = 2;

/** Decimal text without the noise of binary fractions. */
const plain = (value: number): string => String(Number(value.toPrecision(12)));

export const emptyDraft: ModelDraft = {
  name: '',
  mode: 'token',
  by: 'ratio',
  ratio: '',
  completion: '',
  input: '',
  output: '',
  price: '',
};

export const draftOf = (row: RatioRow): ModelDraft => ({
  ...emptyDraft,
  name: row.name,
  mode: row.price === '' ? 'token' : 'call',
  ratio: row.ratio,
  completion: row.completion,
  price: row.price,
});

/** Prices as ratios, for the wire and for a user who continues in ratios. */
const ratiosOf = ({ input, output }: ModelDraft): Pick<ModelDraft, 'ratio' | 'completion'> => ({
  ratio: input === '' ? '' : plain(Number(input) / dollarsPerRatio),
  completion:
    input === '' || output === '' || Number(input) === 0
      ? ''
      : plain(Number(output) / Number(input)),
});
const pricesOf = ({ ratio, completion }: ModelDraft): Pick<ModelDraft, 'input' | 'output'> => {
  const input = ratio === '' ? '' : plain(Number(ratio) * dollarsPerRatio);
  const output = input === '' || completion === '' ? '' : plain(Number(input) * Number(completion));
  return { input, output };
};

/** Going from ratios to prices or back takes the values along. */
export const switchBy = (draft: ModelDraft, by: ModelDraft['by']): ModelDraft =>
  by === draft.by ? draft : { ...draft, by, ...(by === 'price' ? pricesOf : ratiosOf)(draft) };

type NumberName = 'ratio' | 'completion' | 'input' | 'output' | 'price';
export type DraftProblem = Readonly<{
  field: 'name' | NumberName;
  text:
    | 'visual-name-missing'
    | 'visual-exists'
    | 'visual-zero'
    | 'visual-input-zero'
    | 'number-wrong';
}>;

/** The fields that are shown, in their order. */
const shownNumbers = ({ mode, by }: ModelDraft): readonly NumberName[] => {
  if (mode === 'call') return ['price'];
  return by === 'price' ? ['input', 'output'] : ['ratio', 'completion'];
};

/** `known`: names that may not be taken again. */
export const draftProblem = (draft: ModelDraft, known: readonly string[]): DraftProblem | null => {
  const name = draft.name.trim();
  if (name === '') return { field: 'name', text: 'visual-name-missing' };
  if (known.includes(name)) return { field: 'name', text: 'visual-exists' };
  const field = shownNumbers(draft).find((number) => !isDecimal(draft[number]));
  if (field !== undefined) return { field, text: 'number-wrong' };
  if (draft.mode === 'call') {
    return Number(draft.price) > 0 ? null : { field: 'price', text: 'visual-zero' };
  }
  const isWithoutInput = draft.input === '' ? draft.output !== '' : Number(draft.input) === 0;
  const isRefused = draft.by === 'price' && isWithoutInput;
  return isRefused ? { field: 'input', text: 'visual-input-zero' } : null;
};

/** A price for each call leaves no ratios, and ratios leave no price. */
export const rowOf = (draft: ModelDraft): RatioRow => {
  const name = draft.name.trim();
  if (draft.mode === 'call') return { name, price: draft.price, ratio: '', completion: '' };
  const { ratio, completion } = draft.by === 'price' ? ratiosOf(draft) : draft;
  return { name, price: '', ratio, completion };
};
