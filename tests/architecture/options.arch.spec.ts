import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type SettingField,
  settingTabs,
} from '../../console/features/setting/components/option-fields.ts';
import type { OptionDefinition } from '../../domain/option/definition.ts';
import { defaultOptions, optionKeys, optionTable } from '../../domain/option/table.ts';
import { idleOptions } from '../../projections/contract/idle-options.ts';

/** Stored, listed and offered in the settings, but read nowhere. */
const idle: Readonly<Record<string, string>> = {
  DataExportInterval: 'sums by the hour are written with every batch of charges, so nothing waits',
  StreamCacheQueueLength: 'the reference stores it and reads it nowhere',
  FileUploadPermission: 'the reference stores it and reads it nowhere',
  FileDownloadPermission: 'the reference stores it and reads it nowhere',
  ImageUploadPermission: 'the reference stores it and reads it nowhere',
  ImageDownloadPermission: 'the reference stores it and reads it nowhere',
  LemonApiKey: 'what this provider of payments sends is not established',
  LemonStoreId: 'what this provider of payments sends is not established',
  LemonVariantId: 'what this provider of payments sends is not established',
  LemonWebhookSecret: 'what this provider of payments sends is not established',
};

const rooms = ['domain', 'command-api', 'projections', 'relay', 'console', 'infra'];
/** Where an option is defined or edited, which is not yet reading it. */
const isAboutOptions = (path: string): boolean =>
  /^domain\/option\/tables\/|^projections\/contract\/idle-options|^console\/(features\/setting|locales|dist)\//.test(
    path,
  );

const sourcesOf = (room: string): readonly string[] =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((path) => join(room, path))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.spec.'))
    .filter((path) => !isAboutOptions(path));

test('every option is read somewhere, or there is a reason why it is not', () => {
  const text = rooms
    .flatMap(sourcesOf)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const unread = optionKeys.filter((key) => !text.includes(`'${key}'`));
  expect(unread.sort()).toEqual(Object.keys(idle).sort());
  expect([...idleOptions].sort(), 'what the settings say has no effect').toEqual(unread);
});

/** Read nowhere, so that no card of the settings offers them. */
const withoutControl = [
  'FileDownloadPermission',
  'FileUploadPermission',
  'ImageDownloadPermission',
  'ImageUploadPermission',
];
const controls: Readonly<Record<OptionDefinition['kind'], readonly SettingField[1][]>> = {
  bool: ['switch'],
  int: ['number'],
  number: ['number'],
  text: ['text', 'area'],
  address: ['text'],
  host: ['text'],
  mailbox: ['text'],
  choice: ['choice'],
  domains: ['domains'],
  lines: ['area'],
  json: ['json', 'chats'],
  secret: ['secret'],
};

test('every option has one control in the settings, and of its kind', () => {
  const fields = Object.values(settingTabs).flatMap((cards) =>
    cards.flatMap((card): readonly SettingField[] => card.fields),
  );
  expect([...fields.map(([key]) => key), ...withoutControl].sort()).toEqual([...optionKeys].sort());
  for (const [key, control] of fields) {
    expect(controls[optionTable[key].kind], key).toContain(control);
  }
});

test('what the settings show before anyone saved them is what is promised', () => {
  const defaults = defaultOptions();
  expect(defaults.get('DataExportInterval')).toBe('5');
  expect(JSON.parse(defaults.get('claude.default_max_tokens') ?? '')).toEqual({
    default: 8192,
    'claude-3-haiku-20240307': 4096,
    'claude-3-opus-20240229': 4096,
  });
});
