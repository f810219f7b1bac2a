import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addToken,
  type ConsoleClient,
  setUpSite,
  type TokenRow,
} from '../support/console-client.ts';
import { type Product, startProduct } from '../support/product.ts';
import { serviceAccount } from '../support/stub-provider/google-account.ts';
import { awsKey } from './upstreams/bedrock.ts';
import { googleCertificate } from './upstreams/google-certificate.ts';
import type { Upstreams } from './upstreams/server.ts';

type Column = Readonly<{
  /** Names the group of the channel as well. */
  name: string;
  /** By which the stub answers. */
  shape: string;
  model: string;
  /** The provider signs its thoughts, and requires them back, in every API that it has. */
  proves: boolean;
  /** The provider has context caches that are made by a call of their own. */
  caches: boolean;
  channel: (upstreams: Upstreams) => Readonly<Record<string, unknown>>;
}>;

const awsText = `${awsKey.id}|${awsKey.secret}|${awsKey.region}`;
const throughGoogle = ({ proxyUrl }: Upstreams) => ({
  type: 41,
  key: serviceAccount,
  other: 'us-central1',
  setting: JSON.stringify({ proxy: proxyUrl }),
});

/** The channels of the matrix, each in a separate group. */
export const columns: readonly Column[] = [
  {
    name: 'openai',
    shape: 'openai',
    model: 'gpt-5',
    proves: false,
    caches: false,
    channel: ({ url }) => ({ type: 1, key: 'openai-key', base_url: url }),
  },
  {
    name: 'anthropic',
    shape: 'anthropic',
    model: 'claude-sonnet-4-5',
    proves: true,
    caches: false,
    channel: ({ url }) => ({ type: 14, key: 'anthropic-key', base_url: url }),
  },
  {
    name: 'gemini',
    shape: 'gemini',
    model: 'gemini-3-pro-preview',
    proves: true,
    caches: true,
    channel: ({ url }) => ({ type: 24, key: 'gemini-key', base_url: url }),
  },
  {
    name: 'bedrock',
    shape: 'bedrock',
    model: 'claude-sonnet-4-5-20250929',
    proves: true,
    caches: false,
    channel: ({ url }) => ({ type: 33, key: awsText, base_url: url }),
  },
  {
    name: 'vertex-gemini',
    shape: 'vertex',
    model: 'gemini-3-pro-preview',
    proves: true,
    caches: true,
    channel: throughGoogle,
  },
  {
    name: 'vertex-claude',
    shape: 'vertex',
    model: 'claude-sonnet-4-5',
    proves: true,
    caches: false,
    channel: throughGoogle,
  },
  {
    name: 'azure',
    shape: 'azure',
    model: 'gpt-5',
    proves: false,
    caches: false,
    channel: ({ url }) => ({
      type: 3,
      key: 'azure-key',
      base_url: url,
      other: '2025-04-01-preview',
    }),
  },
];

export type Site = Readonly<{
  product: Product;
  admin: ConsoleClient;
  /** A separate token, so that its rows of the usage log are the caller's alone. */
  tokenFor: (column: Column) => Promise<TokenRow>;
}>;

const trusting = (): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'tollgate-clients-')), 'google.pem');
  writeFileSync(path, googleCertificate);
  return path;
};

/** The Gemini CLI requests the newest of a family, whichever of it was named. */
const alsoServed: Readonly<Record<string, string>> = {
  'gemini-3-pro-preview': 'gemini-3.1-pro-preview',
};
const servedAs = (model: string): readonly string[] => [model, alsoServed[model] ?? model];

/** The product with one channel for each column. */
export const startSite = async (upstreams: Upstreams): Promise<Site> => {
  const product = await startProduct({ env: { NODE_EXTRA_CA_CERTS: trusting() } });
  const admin = await setUpSite(product.url);
  const setOption = (key: string, value: object) =>
    admin.ok('PUT', '/api/option/', { key, value: JSON.stringify(value) });
  const groups = columns.map(({ name }) => name);
  await setOption('GroupRatio', Object.fromEntries([['default', 1], ...groups.map((g) => [g, 1])]));
  await setOption(
    'UserUsableGroups',
    Object.fromEntries([['default', 'all'], ...groups.map((g) => [g, g])]),
  );
  const models = [...new Set(columns.flatMap(({ model }) => servedAs(model)))];
  await setOption('ModelRatio', Object.fromEntries(models.map((model) => [model, 1])));
  for (const { name, model, channel } of columns) {
    await admin.ok('POST', '/api/channel/', {
      name,
      models: [...new Set(servedAs(model))].join(','),
      group: name,
      base_url: '',
      ...channel(upstreams),
    });
  }
  return { product, admin, tokenFor: ({ name }) => addToken(admin, { name, group: name }) };
};
