import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeProductEvent } from '../infra/event-store/decoder.ts';
import { type AccountSnapshot, openSnapshot } from './account/snapshot.ts';
import { createAccountState } from './account/state.ts';
import { type EventType, eventCatalogue } from './events.ts';
import { extraFields } from './shared/shape.ts';

/*
 * Stored JSON of every version of every event type, as the product wrote it. A fixture is never
 * changed: a new version adds a separate file.
 */

type Stored = Readonly<{
  streamId: string;
  type: string;
  data: unknown;
  metadata: Readonly<{ schemaVersion: number }>;
}>;

const here = new URL('.', import.meta.url).pathname;
const files = new Map(
  readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^\w+\/fixtures\/.+\.json$/.test(path))
    .map((path) => [basename(path, '.json'), join(here, path)] as const),
);
const types = Object.keys(eventCatalogue) as readonly EventType[];
const versions = types.flatMap((type) =>
  Array.from(
    { length: eventCatalogue[type].upcasters.length + 1 },
    (_, index) => [type, eventCatalogue[type].firstVersion + index] as const,
  ),
);

test('each version of each event type has its stored JSON, and no file is of another', () => {
  const due = versions.map(([type, version]) => `${type}.v${version}`);
  expect([...files.keys()].sort()).toEqual(due.sort());
});

const shared = ['actor', 'correlationId', 'causationId', 'commandId', 'occurredAt'];
const optional = ['commandHash', 'schemaVersion'];

describe.each(versions)('%s, version %i', (type, version) => {
  const path = files.get(`${type}.v${version}`);
  const stored = JSON.parse(path === undefined ? '{}' : readFileSync(path, 'utf8')) as Stored;
  const { category, shape } = eventCatalogue[type];

  test('decodes to the current shape, with no field missing and none unknown', () => {
    expect(stored).toMatchObject({ type, metadata: { schemaVersion: version } });
    const decoded = decodeProductEvent(stored);
    if (typeof decoded === 'string') throw new Error(decoded);
    if (type !== 'AccountSnapshotTaken') expect(extraFields(shape, decoded.data)).toEqual([]);
    const fields = Object.keys(decoded.metadata).filter((name) => !optional.includes(name));
    expect(fields.sort()).toEqual([...shared].sort());
  });

  test('is in a stream of its category', () => {
    const dash = stored.streamId.indexOf('-');
    const found = dash < 0 ? stored.streamId : stored.streamId.slice(0, dash);
    expect(category === null || category === found).toBe(true);
  });
});

test('a stored snapshot holds each field of the current state, and no other', () => {
  const path =
    files.get(`AccountSnapshotTaken.v${eventCatalogue.AccountSnapshotTaken.version}`) ?? '';
  const { data } = JSON.parse(readFileSync(path, 'utf8')) as { data: AccountSnapshot };
  const kept = createAccountState();
  expect(openSnapshot(data)).not.toBeNull();
  expect(Object.keys(data).sort()).toEqual(
    [...Object.keys(kept), 'version', 'userId', 'commands', 'digest'].sort(),
  );
});
