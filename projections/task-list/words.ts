import type { PersonalTexts } from '../../domain/shared/personal.ts';
import type { PersonalSeal } from '../../infra/ports/vault.ts';
import type { Lookups } from '../http/lookups.ts';
import { textsOf } from '../shared/personal-data.ts';
import type { TaskListRow } from './table.ts';

/** What people asked for and got, in words and addresses. */
type Words = Pick<
  TaskListRow,
  | 'prompt'
  | 'prompt_en'
  | 'description'
  | 'state'
  | 'image_url'
  | 'fail_reason'
  | 'buttons'
  | 'properties'
  | 'data'
>;

const text = (texts: PersonalTexts, path: string): string => {
  const value = texts[path];
  return typeof value === 'string' ? value : '';
};

const without = (words: Partial<Words>): Partial<Words> =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => value !== ''));

const submitted = (texts: PersonalTexts): Partial<Words> =>
  without({
    prompt: text(texts, 'prompt'),
    state: text(texts, 'state'),
    properties: text(texts, 'properties'),
  });

const accepted = (texts: PersonalTexts): Partial<Words> =>
  without({ description: text(texts, 'description'), properties: text(texts, 'properties') });

/** A report is whole, but for what the provider left empty where we know better. */
const reported = (texts: PersonalTexts): Partial<Words> => ({
  prompt_en: text(texts, 'report.promptEn'),
  image_url: text(texts, 'report.imageUrl'),
  fail_reason: text(texts, 'report.failReason'),
  buttons: text(texts, 'report.buttons'),
  data: text(texts, 'report.data'),
  ...without({
    description: text(texts, 'report.description'),
    state: text(texts, 'report.state'),
    properties: text(texts, 'report.properties'),
  }),
});

/** The row with what stands sealed in it; a row of somebody who has left stays without words. */
const opened = (row: TaskListRow, seal: PersonalSeal | undefined): TaskListRow => {
  if (seal === undefined) return row;
  const told = (sealed: string, words: (texts: PersonalTexts) => Partial<Words>) =>
    sealed === '' ? {} : words(textsOf(seal, sealed));
  return {
    ...row,
    ...told(row.sealed_ask, submitted),
    ...told(row.sealed_answer, accepted),
    ...told(row.sealed_report, reported),
    ...told(row.sealed_failure, (texts) => ({ fail_reason: text(texts, 'reason') })),
  };
};

/** Opens the rows of a page. */
export const withWords = async (
  lookups: Pick<Lookups, 'personalSeals'>,
  rows: readonly TaskListRow[],
): Promise<readonly TaskListRow[]> => {
  const seals = await lookups.personalSeals([...new Set(rows.map(({ user_id }) => user_id))]);
  return rows.map((row) => opened(row, seals.get(row.user_id)));
};
