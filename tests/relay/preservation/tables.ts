import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../relay/protocol/canonical.ts';

/** The caller's protocol. */
export type Caller = 'openai' | 'claude' | 'gemini';
/** The protocol of the one who answers. */
export type Shape = 'openai' | 'claude' | 'gemini';

/** Whether it is present. */
export type Sight = (body: JsonObject) => boolean;

/** The value at `a.0.b`; undefined when there is none. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (own, key) =>
        typeof own === 'object' && own !== null
          ? Object.entries(own).find(([name]) => name === key)?.[1]
          : undefined,
      value,
    );

export const has =
  (path: string, expected: unknown): Sight =>
  (body) =>
    isDeepStrictEqual(at(body, path), expected);

export type Family = Readonly<{
  name: string;
  channelType: number;
  shape: Shape;
  model: string;
  key: string;
}>;

/** One family for each protocol. */
export const families: readonly Family[] = [
  { name: 'OpenAI', channelType: 1, shape: 'openai', model: 'gpt-4o-mini', key: 'k' },
  { name: 'compatible', channelType: 25, shape: 'openai', model: 'moonshot-v1-8k', key: 'k' },
  { name: 'quirky', channelType: 43, shape: 'openai', model: 'deepseek-chat', key: 'k' },
  {
    name: 'Anthropic',
    channelType: 14,
    shape: 'claude',
    model: 'claude-3-7-sonnet-20250219',
    key: 'k',
  },
  {
    name: 'Bedrock',
    channelType: 33,
    shape: 'claude',
    model: 'claude-3-7-sonnet-20250219',
    key: 'a|b|us-east-1',
  },
  { name: 'Gemini', channelType: 24, shape: 'gemini', model: 'gemini-2.5-flash', key: 'k' },
];

export const callers: readonly Caller[] = ['openai', 'claude', 'gemini'];

/** Why a cell is empty; undefined: it must hold. A pair is named by protocol or by family. */
export const reasonIn = (
  pairs: Readonly<Record<string, string>> | undefined,
  caller: Caller,
  family: Family,
): string | undefined =>
  pairs?.[`${caller}>${family.name.toLowerCase()}`] ?? pairs?.[`${caller}>${family.shape}`];
