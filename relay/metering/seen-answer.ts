/** What passed of an answer: how much its provider can have produced follows from it. */
export type SeenAnswer = Readonly<{
  /** About how many tokens, told at once. */
  roughTokens(): number;
  /** No more than these, as a token takes a byte at the least; may read the text back. */
  maxTokens(): number;
  /** The same of what the model thought aloud. */
  maxThoughtTokens(): number;
}>;

/** Most tokens of a text. */
export const maxTokensOf = (produced: string | number): number =>
  typeof produced === 'string' ? Buffer.byteLength(produced) : produced * bytesPerToken;

/** Where only an estimate was kept of a long text. */
const bytesPerToken = 4;

/** Nothing passed that could be looked at. */
export const nothingSeen: SeenAnswer = {
  roughTokens: () => 0,
  maxTokens: () => 0,
  maxThoughtTokens: () => 0,
};
