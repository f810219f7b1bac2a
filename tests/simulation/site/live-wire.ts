import type { TurnPlan } from '../history.ts';
import type { Tokens } from '../oracle/calculator.ts';

/* Gemini's Live protocol, as customers and the provider use it. A token is four characters. */

const token = 'word';
const words = (tokens: number): string => token.repeat(tokens);

type Content = Readonly<{ parts: readonly Readonly<{ text: string }>[] }>;
type FromCustomer = Readonly<{ clientContent?: Readonly<{ turns: readonly Content[] }> }>;
type FromProvider = Readonly<{
  serverContent?: Readonly<{ modelTurn?: Content; turnComplete?: boolean }>;
  usageMetadata?: Readonly<{
    promptTokenCount: number;
    cachedContentTokenCount: number;
    responseTokenCount: number;
  }>;
}>;

export const questionOf = ({ inputTokens }: TurnPlan): string => {
  const turns = [{ role: 'user', parts: [{ text: words(inputTokens) }] }];
  return JSON.stringify({ clientContent: { turns, turnComplete: true } });
};

export const pieceOf = (tokens: number): string =>
  JSON.stringify({ serverContent: { modelTurn: { parts: [{ text: words(tokens) }] } } });

export const turnEnd = ({ promptTokens, cachedTokens, outputTokens, isSilent }: TurnPlan): string =>
  JSON.stringify({
    serverContent: { turnComplete: true },
    ...(!isSilent && {
      usageMetadata: {
        promptTokenCount: promptTokens,
        cachedContentTokenCount: cachedTokens,
        responseTokenCount: outputTokens,
      },
    }),
  });

const tokensIn = (content: Content | undefined): number =>
  (content?.parts ?? []).reduce((sum, { text }) => sum + text.length / token.length, 0);

/** Tokens of a customer's input. */
export const spokenIn = (event: FromCustomer): number =>
  (event.clientContent?.turns ?? []).reduce((sum, content) => sum + tokensIn(content), 0);

/** Tokens of an answer. */
export const piecesIn = ({ serverContent }: FromProvider): number =>
  tokensIn(serverContent?.modelTurn);

/** The provider's usage of a turn; null: none here. */
export const reportIn = ({ usageMetadata }: FromProvider): Tokens | null =>
  usageMetadata === undefined
    ? null
    : {
        prompt: usageMetadata.promptTokenCount,
        cached: usageMetadata.cachedContentTokenCount,
        output: usageMetadata.responseTokenCount,
      };

export const endsTurn = (text: string): boolean =>
  (JSON.parse(text) as FromProvider).serverContent?.turnComplete === true;
