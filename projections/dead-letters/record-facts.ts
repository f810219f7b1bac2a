import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { DeadLetterRow } from './table.ts';

type Json = Readonly<Record<string, unknown>>;
type Facts = Pick<
  DeadLetterRow,
  'kind' | 'relay_id' | 'request_id' | 'user_id' | 'model_name' | 'amount' | 'record'
>;

/**
 * Texts of a record that no person wrote. All others are left out: a broken record may contain
 * anything.
 */
const plainTexts: ReadonlySet<string> = new Set([
  'action',
  'end',
  'errorCode',
  'errorType',
  'group',
  'instanceId',
  'kind',
  'leaseId',
  'model',
  'path',
  'platform',
  'quality',
  'reasoningEffort',
  'relayId',
  'requestId',
  'size',
  'upstreamId',
  'upstreamModel',
  'usageNote',
  'usageSource',
]);
const figure = /^-?\d+(\.\d+)?$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** A name that a programmer gave. */
const member = /^[A-Za-z]\w{0,39}$/;
const leftOut = '…';
const maxDepth = 6;
/** A text in a column; ids are far shorter. */
const maxText = 200;

const shown = (key: string, value: unknown, depth: number): unknown => {
  if (typeof value === 'string') {
    const isPlain = plainTexts.has(key) || figure.test(value) || instant.test(value);
    return isPlain ? value.slice(0, maxText) : leftOut;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return leftOut;
  if (Array.isArray(value)) return value.map((item) => shown(key, item, depth + 1));
  const entries = Object.entries(value).filter(([name]) => member.test(name));
  return Object.fromEntries(entries.map(([name, item]) => [name, shown(name, item, depth + 1)]));
};

const parsed = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : null;
  } catch {
    return null;
  }
};

const textIn = (record: Json, key: string): string => {
  const value = record[key];
  return typeof value === 'string' ? value.slice(0, maxText) : '';
};

const jsonIn = (record: Json, key: string): Json => {
  const value = record[key];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
};

const amountOf = ({ kind, usage, quote }: Json): number | null => {
  if (kind !== 'used') return null;
  try {
    const amount = price(usage as Usage, quote as Quote);
    return Number.isSafeInteger(amount) ? amount : null;
  } catch {
    return null;
  }
};

const nothing = {
  kind: '',
  relay_id: '',
  request_id: '',
  user_id: 0,
  model_name: '',
  amount: null,
};

/**
 * What can be read of a record, whatever is wrong with it. A text that is no record is not kept.
 */
export const factsOf = (text: string): Facts => {
  const record = parsed(text);
  if (record === null) {
    return { ...nothing, record: JSON.stringify({ unreadable: leftOut, characters: text.length }) };
  }
  const call = jsonIn(record, 'call');
  const userId = record.userId;
  return {
    kind: textIn(record, 'kind'),
    relay_id: textIn(record, 'relayId'),
    request_id: textIn(call, 'requestId') || textIn(record, 'requestId'),
    user_id: Number.isSafeInteger(userId) ? Number(userId) : 0,
    model_name: textIn(call, 'model'),
    amount: amountOf(record),
    record: JSON.stringify(shown('', record, 0)),
  };
};
