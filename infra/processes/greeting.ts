import type { Config } from '../config.ts';
import { productVersion } from './product-version.ts';

export type Site = Readonly<{
  /** Where programs of this machine reach it. */
  url: string;
  metricsUrl: string;
  dataDir: string;
  config: Pick<
    Config,
    'host' | 'eventStoreUrl' | 'databaseUrl' | 'natsUrl' | 'secretKey' | 'secretKeyFile'
  >;
}>;

/** Without user and password. */
const serverOf = (url: string): string => {
  const [first = ''] = url.split(',');
  return new URL(first).host;
};

const engine = (url: string | null, embedded: string): string =>
  url === null ? embedded : `at ${serverOf(url)}`;

const keyPlace = ({ secretKey, secretKeyFile }: Site['config']): string => {
  if (secretKeyFile !== null) return secretKeyFile;
  return secretKey === null ? 'in the data folder' : 'SECRET_KEY';
};

/** What a person at a terminal needs of a site that has just started. */
export const greeting = (site: Site, isSetUp: boolean): string => {
  const { config } = site;
  const url = site.url.replace('127.0.0.1', 'localhost');
  const lines = [
    ['Console and API', url],
    ['Data folder', site.dataDir],
    ['Event store', engine(config.eventStoreUrl, 'embedded, in the data folder')],
    ['Read models', engine(config.databaseUrl, 'embedded PostgreSQL, in the data folder')],
    ['Message bus', engine(config.natsUrl, 'embedded, in memory')],
    ['Secret key', keyPlace(config)],
    ['Metrics', `${site.metricsUrl}/metrics`],
  ] as const;
  const next = isSetUp ? 'sign in' : 'choose the name and password of the super admin';
  return [
    `\nTollgate ${productVersion()} is ready on Node ${process.versions.node}.\n`,
    ...lines.map(([label, value]) => `  ${label.padEnd(17)}${value}`),
    `\n  Next: open ${url} and ${next}. Ctrl-C stops it.\n\n`,
  ].join('\n');
};

/** True once a super admin has been chosen; a missing answer counts as true. */
const isSetUp = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/api/status`);
    const { data } = (await answer.json()) as { data: { setup: boolean } };
    return data.setup;
  } catch {
    return true;
  }
};

export const greet = async (site: Site): Promise<void> => {
  process.stdout.write(greeting(site, await isSetUp(site.url)));
};
