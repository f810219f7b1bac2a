import type { ZodError } from 'zod';
import type { Language } from '../../domain/access/language.ts';

type Issue = ZodError['issues'][number];
type Words = Readonly<Record<Language, string>>;

const kinds: Readonly<Record<string, Words>> = {
  string: { zh: '文本', en: 'text' },
  number: { zh: '数字', en: 'a number' },
  int: { zh: '整数', en: 'a whole number' },
  boolean: { zh: '布尔值', en: 'true or false' },
  array: { zh: '数组', en: 'a list' },
  object: { zh: '对象', en: 'an object' },
};

/** A limit that is not allowed itself: "above 0". */
const beyond = (isSmall: boolean, limit: string): Words =>
  isSmall
    ? { zh: `必须大于 ${limit}`, en: `must be above ${limit}` }
    : { zh: `必须小于 ${limit}`, en: `must be below ${limit}` };

const bound = (issue: Issue & { code: 'too_small' | 'too_big' }): Words => {
  const isSmall = issue.code === 'too_small';
  const limit = String(isSmall ? issue.minimum : issue.maximum);
  if (issue.inclusive === false) return beyond(isSmall, limit);
  const sized: Readonly<Record<string, Words>> = {
    string: { zh: '个字符', en: ' characters' },
    array: { zh: '项', en: ' items' },
  };
  const unit = sized[issue.origin] ?? { zh: '', en: '' };
  return {
    zh: `${isSmall ? '不能小于' : '不能大于'} ${limit}${unit.zh === '' ? '' : ` ${unit.zh}`}`,
    en: `must be ${isSmall ? 'at least' : 'at most'} ${limit}${unit.en}`,
  };
};

/** What would be right, in words of ours; never the text of a parser. */
const remedy = (issue: Issue): Words => {
  if (issue.code === 'too_small' || issue.code === 'too_big') return bound(issue);
  if (issue.code === 'invalid_type') {
    const kind = kinds[issue.expected] ?? { zh: issue.expected, en: issue.expected };
    return { zh: `应为${kind.zh}`, en: `must be ${kind.en}` };
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.join(', ');
    return { zh: `应为以下之一：${values}`, en: `must be one of: ${values}` };
  }
  return { zh: '格式不正确', en: 'has the wrong form' };
};

/** Names the first wrong field and what would be right. */
export const invalidInputMessage = ({ issues }: ZodError, language: Language): string => {
  const [issue] = issues;
  if (!issue) return language === 'zh' ? '无效的参数' : 'Invalid parameters';
  const field = issue.path.map(String).join('.');
  const right = remedy(issue)[language];
  if (language === 'zh')
    return field === '' ? `无效的参数：请求体${right}` : `无效的参数：${field} ${right}`;
  return field === ''
    ? `Invalid parameters: the body ${right}`
    : `Invalid parameters: ${field} ${right}`;
};
