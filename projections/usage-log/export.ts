import type { Language } from '../../domain/access/language.ts';
import type { LogRow, LogType } from '../contract/log.ts';
import { timeText } from '../shared/export.ts';
import { type AmountForm, amountText } from './content.ts';
import type { LogFilter } from './filter.ts';
import type { UsageLogRow } from './table.ts';

/** Rows that are read at one time; an export holds no more of them in memory. */
const pageRows = 1_000;

type ReadPage = (
  filter: LogFilter,
  page: Readonly<{ after: UsageLogRow | null; limit: number }>,
) => Promise<UsageLogRow[]>;

/** All entries that the filter lets through, page by page and newest first, without a bound. */
export async function* allEntries(
  filter: LogFilter,
  readPage: ReadPage,
  show: (rows: readonly UsageLogRow[]) => Promise<LogRow[]>,
): AsyncGenerator<LogRow[]> {
  let after: UsageLogRow | null = null;
  for (;;) {
    const rows: UsageLogRow[] = await readPage(filter, { after, limit: pageRows });
    yield await show(rows);
    after = rows.at(-1) ?? null;
    if (rows.length < pageRows) return;
  }
}

const typeNames: Readonly<Record<LogType, Readonly<Record<Language, string>>>> = {
  1: { zh: '充值', en: 'Top-up' },
  2: { zh: '消费', en: 'Consume' },
  3: { zh: '管理', en: 'Manage' },
  4: { zh: '系统', en: 'System' },
  5: { zh: '错误', en: 'Error' },
};

type Form = Readonly<{ language: Language; amounts: AmountForm; forAdmin: boolean }>;

/** Columns of the table: those of the console's log, the exact amount and the request. */
export const exportColumns = ({ language, amounts, forAdmin }: Form) => ({
  time: ({ created_at }: LogRow) => timeText(created_at),
  channel: ({ channel }: LogRow) => (forAdmin ? channel : ''),
  user: ({ username }: LogRow) => (forAdmin ? username : ''),
  token: ({ token_name }: LogRow) => token_name,
  group: ({ group }: LogRow) => group,
  type: ({ type }: LogRow) => typeNames[type][language],
  model: ({ model_name }: LogRow) => model_name,
  use_time_seconds: ({ use_time }: LogRow) => use_time,
  prompt_tokens: ({ prompt_tokens }: LogRow) => prompt_tokens,
  completion_tokens: ({ completion_tokens }: LogRow) => completion_tokens,
  cost: ({ quota }: LogRow) => amountText(quota, amounts),
  quota: ({ quota }: LogRow) => quota,
  request_id: ({ request_id }: LogRow) => request_id,
  content: ({ content }: LogRow) => content,
});
