import type { TFunction } from 'i18next';
import type { Problem } from './option-rules.ts';

/** The error of an option, with what would be right. */
export const problemText = (problem: Problem, t: TFunction<'setting'>): string => {
  const { text, min = 0, max = 0, at = 0, line, expected, name = '' } = problem;
  if (line === undefined || expected === undefined) return t(text, { min, max, at, name });
  return t('json-wrong') + t('json-line', { line, expected: t(`json.${expected}`, { name }) });
};
