import type { DecimalText } from './types.ts';

/**
 * A forced ratio takes precedence over the operator's map; the other kind only replaces a missing
 * entry.
 */
type FamilyRatio = Readonly<{ ratio: DecimalText; forced: boolean }>;
type Rule = Readonly<{ matches: (name: string) => boolean } & FamilyRatio>;

const starts =
  (...prefixes: readonly string[]) =>
  (name: string): boolean =>
    prefixes.some((prefix) => name.startsWith(prefix));
const is =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);
const has = (part: string) => (name: string) => name.includes(part);
const both =
  (left: (name: string) => boolean, right: (name: string) => boolean) =>
  (name: string): boolean =>
    left(name) && right(name);
const ends =
  (...suffixes: readonly string[]) =>
  (name: string): boolean =>
    suffixes.some((suffix) => name.endsWith(suffix));

/** Composite names such as gpt-4-all have no family price of their own. */
const gpt4 =
  (matches: (name: string) => boolean) =>
  (name: string): boolean =>
    name.startsWith('gpt-4') && !ends('-all', '-gizmo-*')(name) && matches(name);

const forced = (matches: Rule['matches'], ratio: DecimalText): Rule => ({
  matches,
  ratio,
  forced: true,
});
const soft = (matches: Rule['matches'], ratio: DecimalText): Rule => ({
  matches,
  ratio,
  forced: false,
});

/** The first that matches wins. 4/3 is the text that price maps hold. */
const rules: readonly Rule[] = [
  forced(gpt4(is('gpt-4o-2024-05-13')), '3'),
  forced(gpt4(starts('gpt-4o')), '4'),
  forced(gpt4(starts('gpt-4.5-preview')), '2'),
  forced(gpt4(starts('gpt-4-turbo')), '3'),
  forced(gpt4(ends('gpt-4-1106', 'gpt-4-1105')), '3'),
  soft(
    gpt4(() => true),
    '2',
  ),
  forced(starts('o1', 'o3'), '4'),
  forced(is('chatgpt-4o-latest'), '3'),
  forced(has('claude-instant-1'), '3'),
  forced(has('claude-2'), '3'),
  forced(has('claude-3'), '5'),
  forced(is('gpt-3.5-turbo'), '3'),
  forced(both(starts('gpt-3.5'), ends('0125')), '3'),
  forced(both(starts('gpt-3.5'), ends('1106')), '2'),
  forced(starts('gpt-3.5'), '1.3333333333333333'),
  forced(starts('mistral-'), '3'),
  forced(starts('gemini-1.5', 'gemini-2.0'), '4'),
  forced(starts('gemini-2.5-pro-preview'), '8'),
  soft(starts('gemini-'), '4'),
  forced(is('command-r'), '3'),
  forced(is('command-r-plus'), '5'),
  forced(is('command-r-08-2024', 'command-r-plus-08-2024'), '4'),
  soft(starts('command'), '4'),
  forced((name) => is('deepseek-chat', 'deepseek-reasoner')(name.toLowerCase()), '4'),
  forced(starts('ERNIE-Speed-', 'ERNIE-Lite-', 'ERNIE-Character', 'ERNIE-Functions'), '2'),
  forced(is('llama2-70b-4096'), '1.25'),
  forced(is('llama3-8b-8192'), '2'),
  forced(is('llama3-70b-8192'), '1.3389830508474578'),
];

const noFamily: FamilyRatio = { ratio: '1', forced: false };

/** What one output token costs, in prompt tokens of the same model. */
export const completionRatioOf = (
  name: string,
  configured: ReadonlyMap<string, DecimalText>,
): DecimalText => {
  const own = configured.get(name);
  if (own !== undefined && name.includes('/')) return own;
  const family = rules.find((rule) => rule.matches(name)) ?? noFamily;
  return family.forced ? family.ratio : (own ?? family.ratio);
};
