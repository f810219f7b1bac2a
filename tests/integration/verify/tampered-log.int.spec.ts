import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { VerifyInput } from '../../../infra/ports/verify.ts';
import { verify } from '../../../infra/verify/verify.ts';
import { createReadModels } from '../../../projections/create-read-models.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../support/read-side.ts';
import { dayAfter } from './clean-story.ts';
import { logTamperings } from './log-tamperings.ts';
import { signatureOnly } from './signature-only.ts';
import { createTampering } from './tampered-story.ts';

/*
 * A person with access to the disk of the event store changes the log. Each kind of change is tried
 * twice: with the read models as they were, and with read models rebuilt from the changed log. The
 * latter agree with the log by themselves, which is the log without any.
 */

let postgres: TestPostgres;
let side: ReadSide;
const tampering = createTampering();

beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  await tampering.tell(side.eventStore);
  await side.settle();
  await side.projections.stop();
});
afterAll(async () => {
  await side.stop();
  await postgres.stop();
});
afterEach(() => tampering.restore());
afterAll(() => console.table(results));

type Kinds = readonly string[];
/** But for the dead letter of the story. */
const breaks = async (changes: Partial<VerifyInput> = {}): Promise<Kinds> => {
  const report = await verify({
    eventStore: side.eventStore,
    readModels: createReadModels(side.database.db),
    clock: dayAfter,
    patienceMs: 0,
    ...changes,
  });
  return report.breaks
    .map(({ kind, row, eventId }) => `${kind} ${row ?? tampering.nameOf(eventId) ?? eventId}`)
    .filter((found) => found !== 'dead-letter dead-letter');
};

type Result = Readonly<Record<'what' | 'asTheyWere' | 'rebuilt', string>>;
const results: Result[] = [];
const kinds = logTamperings(tampering);
const onlyByRows = new Set(Object.values(signatureOnly).flat());
const [unseen = []] = Object.values(signatureOnly);

test('the log as it was written has no break', async () => {
  expect(await breaks()).toEqual([]);
});

test('there are at least forty kinds, and each has a unique name', () => {
  expect(kinds.length).toBeGreaterThan(40);
  expect(new Set(kinds.map(([what]) => what)).size).toBe(kinds.length);
});

test.each(kinds)('%s', async (what, tamper, found) => {
  tamper();
  const asTheyWere = await breaks();
  const rebuilt = await breaks({ readModels: null });
  results.push({ what, asTheyWere: asTheyWere[0] ?? '–', rebuilt: rebuilt[0] ?? '–' });
  if (unseen.includes(what)) expect(asTheyWere).toEqual([]);
  else expect(asTheyWere.filter((one) => one.startsWith(found))).not.toEqual([]);
  expect(rebuilt.length === 0 ? 'by a signature only' : 'found').toBe(
    onlyByRows.has(what) ? 'by a signature only' : 'found',
  );
});

test('the list of what a signature alone can detect names kinds that are tried', () => {
  const tried = kinds.map(([what]) => what);
  expect([...onlyByRows].filter((what) => !tried.includes(what))).toEqual([]);
});

test.each(['a failure that is gone', 'who corrected', 'the role of a person'])(
  '%s: read models that are really rebuilt agree with the log',
  async (what) => {
    kinds.find(([name]) => name === what)?.[1]();
    const rebuilt = await startReadSide(postgres, { eventStore: side.eventStore });
    const readModels = createReadModels(rebuilt.database.db);
    expect(await breaks({ readModels, patienceMs: 60_000 })).toEqual([]);
    await rebuilt.stop();
  },
);
