import { randomUUID } from 'node:crypto';
import type { Log } from '../log/log.ts';
import { metaStreamOf } from '../types.ts';
import type { GroupKey, GroupSettings } from './settings.ts';

const configStream = '$persistentSubscriptionConfig';
const writeDeadlineMs = 10_000;

type Entry = GroupKey & Readonly<{ settings: GroupSettings }>;

const append = async (
  log: Log,
  stream: string,
  { type, body }: Readonly<{ type: string; body: unknown }>,
): Promise<void> => {
  const data = Buffer.from(JSON.stringify(body));
  const event = { eventId: randomUUID(), type, isJson: true, data, metadata: Buffer.alloc(0) };
  const write = { kind: 'append', stream, expected: 'any', events: [event] } as const;
  const result = await log.write(write, Date.now() + writeDeadlineMs);
  if (result.kind !== 'written') throw new Error(`groups not written: ${result.kind}`);
};

/** Every change of a group is an event of the log, with all groups as they are then; two are kept. */
export const writeConfig = async (log: Log, entries: readonly Entry[]): Promise<void> => {
  const { lastRevision } = await log.state(configStream);
  if (lastRevision < 0) {
    const metadata = { type: '$metadata', body: { $maxCount: 2 } };
    await append(log, metaStreamOf(configStream), metadata);
  }
  const body = { version: '2', updated: new Date().toISOString(), entries };
  await append(log, configStream, { type: '$PersistentConfig', body });
};
