/** Bounds on the output that a provider can have produced, from what passed of its answer. */
export type OutputSize = Readonly<{
  /** Estimated tokens, without reading the text. */
  roughTokens(): number;
  /** No more than these, as a token takes a byte at the least; may read the text back. */
  maxTokens(): number;
  /** The same for visible reasoning. */
  maxThoughtTokens(): number;
}>;

/** Most tokens of a text. */
export const maxTokensOf = (produced: string | number): number =>
  typeof produced === 'string' ? Buffer.byteLength(produced) : produced * bytesPerToken;

/** Where only an estimate was kept of a long text. */
const bytesPerToken = 4;

/** No output passed. */
export const noOutput: OutputSize = {
  roughTokens: () => 0,
  maxTokens: () => 0,
  maxThoughtTokens: () => 0,
};
