import type { JsonObject } from '../../../relay/protocol/canonical.ts';
import type { Caller, Shape, Sight } from './tables.ts';

/** A member of the request, or why this protocol cannot express it. */
type Ask = JsonObject | string;

export type RequestFeature = Readonly<{
  name: string;
  asks: Readonly<Record<Caller, Ask>>;
  /** How a provider of each protocol receives it, or why it cannot. */
  sees: Readonly<Record<Shape, Sight | string>>;
  /** What one pair alone cannot do: `caller>shape`. */
  pairs?: Readonly<Record<string, string>>;
}>;

export const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
export const openAiTools = [
  { type: 'function', function: { name: 'f', description: 'does f', parameters: schema } },
];
export const claudeTools = [{ name: 'f', description: 'does f', input_schema: schema }];
export const geminiTools = [
  { functionDeclarations: [{ name: 'f', description: 'does f', parameters: schema }] },
];

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pdf = Buffer.from('%PDF-1.4 test').toString('base64');
export const wave = Buffer.from('RIFF....WAVEfmt ').toString('base64');

export const user = (...parts: readonly unknown[]) => ({
  messages: [{ role: 'user', content: parts }],
});
export const contents = (...parts: readonly unknown[]) => ({ contents: [{ role: 'user', parts }] });
export const text = { type: 'text', text: 'Hello' };
export const config = (own: object) => ({ generationConfig: own });
export const choice = (mode: string, more: object = {}) => ({
  tools: geminiTools,
  toolConfig: { functionCallingConfig: { mode, ...more } },
});

export const noUrl = 'the adapter downloads it: this provider takes bytes alone';
export const refused = 'a provider of this protocol refuses members that it does not know';
