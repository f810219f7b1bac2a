import { areCallLimits, isUserLimitKey } from '../relay/call-limits.ts';
import type { JsonShape } from './definition.ts';

/** null: it fits. Otherwise the place that does not, for the message. */
type Check = (value: unknown) => string | null;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const whole = (value: unknown, min: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= 2_147_483_647;

const recordOf =
  (fits: (value: unknown) => boolean, isName = (name: string): boolean => name !== ''): Check =>
  (value) => {
    if (!isRecord(value)) return 'object';
    return Object.entries(value).find(([name, item]) => !isName(name) || !fits(item))?.[0] ?? null;
  };

const listOf =
  (fits: (value: unknown) => boolean): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'list';
    const at = value.findIndex((item) => !fits(item));
    return at === -1 ? null : String(at);
  };

const isText = (value: unknown): value is string => typeof value === 'string';

const isRatio = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 1e9;

/** [requests, 0 for no limit; successful requests, at least 1] */
const isLimit = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && whole(value[0], 0) && whole(value[1], 1);

/** One-entry object: the name of a chat program and its address. */
const isChat = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value).length === 1 && Object.values(value).every(isText);

const isHeaders = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).every(
    (header) => isText(header) || (Array.isArray(header) && header.every(isText)),
  );

const shapes: Readonly<Record<JsonShape, Check>> = {
  ratios: recordOf(isRatio),
  texts: recordOf(isText),
  names: listOf((name) => isText(name) && name !== ''),
  chats: listOf(isChat),
  'group-limits': recordOf(isLimit),
  'call-limits': recordOf(areCallLimits),
  'user-call-limits': recordOf(areCallLimits, isUserLimitKey),
  'model-headers': recordOf(isHeaders),
  'token-counts': recordOf((count) => whole(count, 1)),
};

export const shapeProblem = (shape: JsonShape, value: unknown): string | null =>
  shapes[shape](value);
