import type { ModelPrice } from '../simulation/history.ts';
import { costOf, type Tokens } from '../simulation/oracle/calculator.ts';

/** What the provider does with a call. */
export type CallPlan = Readonly<{
  n: number;
  /** What it reports; the three numbers together occur once in a run. */
  tokens: Tokens;
  model: string;
  /** `unreported`: whole, without usage; `broken`: it ends in the middle; `refused`: HTTP 500. */
  answer: 'whole' | 'unreported' | 'broken' | 'refused';
  isStream: boolean;
  /** The client closes the connection after the first bytes. */
  leavesEarly: boolean;
  chunks: number;
  chunkDelayMs: number;
}>;

/** Set at the site by the test, in thousandths. */
export const prices: Readonly<Record<string, ModelPrice>> = {
  'chaos-small': { modelMilli: 1_370, completionMilli: 3_000, cacheMilli: 500, groupMilli: 1_000 },
  'chaos-large': { modelMilli: 2_113, completionMilli: 1_700, cacheMilli: 250, groupMilli: 1_000 },
};
const models = Object.keys(prices);

const minPrompt = 40;
const promptSteps = 200;
export const maxOutput = 50;
/** Words of every prompt: more tokens than the provider ever reports. */
const promptWords = 260;
const prompt = ' ok'.repeat(promptWords);

export const tokensOf = (n: number): Tokens => ({
  prompt: minPrompt + (n % promptSteps),
  output: 1 + (Math.floor(n / promptSteps) % maxOutput),
  cached: Math.floor(n / (promptSteps * maxOutput)),
});

/** The call that a usage belongs to; null: to none. */
export const numberOf = ({ prompt: reported, output, cached }: Tokens): number | null => {
  const [first, second] = [reported - minPrompt, output - 1];
  if (first < 0 || first >= promptSteps || second < 0 || second >= maxOutput) return null;
  return first + promptSteps * (second + maxOutput * cached);
};

const answerOf = (n: number): CallPlan['answer'] => {
  if (n % 17 === 3) return 'unreported';
  if (n % 19 === 4) return 'broken';
  return n % 23 === 5 ? 'refused' : 'whole';
};

export const planOf = (n: number): CallPlan => {
  const isStream = n % 3 !== 0;
  const answer = answerOf(n);
  return {
    n,
    tokens: tokensOf(n),
    model: models[n % models.length] ?? '',
    // Without a stream an answer cannot break in its middle.
    answer: answer === 'broken' && !isStream ? 'whole' : answer,
    isStream,
    leavesEarly: isStream && n % 13 === 6,
    chunks: 4,
    chunkDelayMs: 10 + (n % 7) * 10,
  };
};

/** The body of a call; the provider reads the number out of its text. */
export const bodyOf = ({ n, model, isStream }: CallPlan): string =>
  JSON.stringify({
    model,
    stream: isStream,
    max_tokens: maxOutput,
    messages: [{ role: 'user', content: `call ${n}:${prompt}` }],
  });

export const numberIn = (body: string): number | null => {
  const found = /"content":"call (\d+):/.exec(body);
  return found === null ? null : Number(found[1]);
};

export const priceOf = (model: string): ModelPrice => {
  const found = prices[model];
  if (found === undefined) throw new Error(`model ${model} has no price`);
  return found;
};

export const dueFor = ({ model, tokens }: CallPlan): number => costOf(priceOf(model), tokens);

/** What a relay sets aside for any call at most: half of its bytes as tokens, and its limit. */
export const maxReserved = Math.max(
  ...models.map((model) => {
    const bytes = bodyOf({ ...planOf(1), n: 1_000_000, model }).length;
    return costOf(priceOf(model), { prompt: Math.ceil(bytes / 2), cached: 0, output: maxOutput });
  }),
);

/**
 * The same once its prompt was counted; each word is a token, and a message has some in addition.
 */
export const maxCounted = Math.max(
  ...models.map((model) =>
    costOf(priceOf(model), { prompt: promptWords + 40, cached: 0, output: maxOutput }),
  ),
);
