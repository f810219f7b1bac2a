import type { UsageBatch, UsageLines, UsageRecord } from '../../domain/account/messages.ts';

const kinds: ReadonlySet<unknown> = new Set([
  'started',
  'used',
  'failed',
  'lost',
  'lease-idle',
  'producer-ended',
]);

const kindsWithCall: ReadonlySet<unknown> = new Set(['used', 'failed']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isNumbered = ({ userId, sequence, relayId }: Readonly<Record<string, unknown>>): boolean =>
  Number.isSafeInteger(userId) && Number.isSafeInteger(sequence) && typeof relayId === 'string';

const isRecord = (value: unknown): value is UsageRecord => {
  if (!isObject(value) || !kinds.has(value.kind) || !isNumbered(value)) return false;
  return isObject(value.call) || !kindsWithCall.has(value.kind);
};

const isBatch = (value: unknown): value is UsageBatch =>
  isObject(value) &&
  value.kind === 'batch' &&
  typeof value.relayId === 'string' &&
  Number.isSafeInteger(value.batch);

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
};

/** null: no version of a relay writes such a record. */
export const recordOf = (item: unknown): UsageRecord | null => {
  const value = typeof item === 'string' ? jsonOf(item) : item;
  return isRecord(value) ? value : null;
};

type Lines = Readonly<{
  /** null: of a version that named no batches. */
  batch: UsageBatch | null;
  records: readonly (string | UsageRecord)[];
}>;

/** The lines of one message of a relay, with the batch that they are. */
export const linesOf = (item: UsageLines | UsageRecord): Lines => {
  if (typeof item !== 'string') return { batch: null, records: [item] };
  const lines = item.split('\n');
  const [first] = lines;
  const head = first?.startsWith('{"kind":"batch"') ? jsonOf(first) : null;
  if (!isBatch(head)) return { batch: null, records: lines };
  return { batch: head, records: lines.slice(1) };
};
