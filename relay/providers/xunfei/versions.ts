import type { TranslationContext } from '../translate.ts';

type Version = Readonly<{ domain: string; path: string }>;

/** Path and domain of each version of the API. */
const versions: Readonly<Record<string, Version>> = {
  'v1.1': { domain: 'lite', path: '/v1.1/chat' },
  'v2.1': { domain: 'generalv2', path: '/v2.1/chat' },
  'v3.1': { domain: 'generalv3', path: '/v3.1/chat' },
  'v3.1-128K': { domain: 'pro-128k', path: '/chat/pro-128k' },
  'v3.5': { domain: 'generalv3.5', path: '/v3.5/chat' },
  'v3.5-32K': { domain: 'max-32k', path: '/chat/max-32k' },
  'v4.0': { domain: '4.0Ultra', path: '/v4.0/chat' },
};

const named: Readonly<Record<string, string>> = {
  'Spark-Lite': 'v1.1',
  'Spark-Pro': 'v3.1',
  'Spark-Pro-128K': 'v3.1-128K',
  'Spark-Max': 'v3.5',
  'Spark-Max-32K': 'v3.5-32K',
  'Spark-4.0-Ultra': 'v4.0',
};

const isVersion = (text: string): boolean => /^v[\w.-]{1,20}$/.test(text);

/** The caller's query, then the name of the model, then the channel, then the oldest. */
const versionName = ({ call, channel }: TranslationContext): string => {
  const asked = new URL(call.path, 'http://localhost').searchParams.get('api-version') ?? '';
  const [, afterHyphen = '', ...more] = call.upstreamModel.split('-');
  const inName = named[call.upstreamModel] ?? (more.length === 0 ? afterHyphen : '');
  return [asked, inName, channel.settings.other].find(isVersion) ?? 'v1.1';
};

export const versionOf = (context: TranslationContext): Version & Readonly<{ name: string }> => {
  const name = versionName(context);
  const known = versions[name] ?? { domain: `general${name}`, path: `/${name}/chat` };
  return { ...known, name };
};

const withoutSystem = new Set(['v1.1', 'v2.1', 'v3.1', 'v3.1-128K']);

/** The oldest models have no instructions. */
export const knowsSystem = (version: string): boolean => !withoutSystem.has(version);
