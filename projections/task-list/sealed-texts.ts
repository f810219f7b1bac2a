import type { PersonalTexts } from '../../domain/shared/personal.ts';
import type { PersonalSeal } from '../../infra/ports/vault.ts';
import type { Lookups } from '../http/lookups.ts';
import { textsOf } from '../shared/personal-data.ts';
import type { TaskListRow } from './table.ts';

/** Prompts and results, as texts and addresses. */
type TaskTexts = Pick<
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

const without = (words: Partial<TaskTexts>): Partial<TaskTexts> =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => value !== ''));

const submitted = (texts: PersonalTexts): Partial<TaskTexts> =>
  without({
    prompt: text(texts, 'prompt'),
    state: text(texts, 'state'),
    properties: text(texts, 'properties'),
  });

const accepted = (texts: PersonalTexts): Partial<TaskTexts> =>
  without({ description: text(texts, 'description'), properties: text(texts, 'properties') });

/** A report is whole, except for what the provider left empty and an earlier report had. */
const reported = (texts: PersonalTexts): Partial<TaskTexts> => ({
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

/** The row with its sealed content; a row of a deleted user stays without its texts. */
const opened = (row: TaskListRow, seal: PersonalSeal | undefined): TaskListRow => {
  if (seal === undefined) return row;
  const unsealed = (sealed: string, read: (texts: PersonalTexts) => Partial<TaskTexts>) =>
    sealed === '' ? {} : read(textsOf(seal, sealed));
  return {
    ...row,
    ...unsealed(row.sealed_ask, submitted),
    ...unsealed(row.sealed_answer, accepted),
    ...unsealed(row.sealed_report, reported),
    ...unsealed(row.sealed_failure, (texts) => ({ fail_reason: text(texts, 'reason') })),
  };
};

/** Opens the rows of a page. */
export const withTexts = async (
  lookups: Pick<Lookups, 'personalSeals'>,
  rows: readonly TaskListRow[],
): Promise<readonly TaskListRow[]> => {
  const seals = await lookups.personalSeals([...new Set(rows.map(({ user_id }) => user_id))]);
  return rows.map((row) => opened(row, seals.get(row.user_id)));
};
