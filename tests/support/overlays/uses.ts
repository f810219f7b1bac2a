import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const consoleRoot = new URL('../../../console', import.meta.url).pathname;
type Files = ReadonlyMap<string, string>;

/** What opens over a page by itself: components of Blueprint, and the one list of our pickers. */
const openers = [
  'Alert',
  'ContextMenu',
  'Dialog',
  'Drawer',
  'MultiSelect',
  'Omnibar',
  'Overlay2',
  'PickerList',
  'Popover',
  'PopoverNext',
  'Select',
  'Suggest',
];
/** Each list opens them for its own rows and columns, without naming a component. */
const listOpeners: Readonly<Record<string, RegExp>> = {
  detail: /\bdetail=\{/,
  useColumnChoice: /\buseColumnChoice\(/,
};

export const consoleSources = (): Files =>
  new Map(
    readdirSync(consoleRoot, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx') && !path.includes('.spec.'))
      .filter((path) => !/^(dist|node_modules|testing)\//.test(path))
      .map((path) => [path, readFileSync(join(consoleRoot, path), 'utf8')]),
  );

const rendered = (text: string): string[] =>
  [...text.matchAll(/<([A-Z]\w+)[\s>/]/g)].map(([, name]) => name ?? '');

/** Components of shared files that render one of these, and so on. */
const withWrappers = (files: Files): ReadonlySet<string> => {
  const names = new Set(openers);
  const shared = [...files].filter(([path]) => path.startsWith('shared/'));
  for (let size = 0; size !== names.size; ) {
    size = names.size;
    for (const [, text] of shared) {
      if (!rendered(text).some((name) => names.has(name))) continue;
      for (const [, name] of text.matchAll(/export const ([A-Z]\w+)/g)) names.add(name ?? '');
    }
  }
  // They open nothing but what is named by `listOpeners`.
  for (const list of ['DataTable', 'ListView']) names.delete(list);
  return names;
};

/** Where the console renders what opens over a page, as `file Component`; shared wrappers are uses where they are used. */
export const overlayUses = (files: Files): readonly string[] => {
  const names = withWrappers(files);
  return [...files]
    .filter(([path]) => path.startsWith('features/') || path.startsWith('app/'))
    .flatMap(([path, text]) => {
      const components = rendered(text).filter((name) => names.has(name));
      const own = Object.entries(listOpeners).filter(([, pattern]) => pattern.test(text));
      const all = new Set([...components, ...own.map(([name]) => name)]);
      return [...all].map((name) => `${path.replace('.tsx', '')} ${name}`);
    })
    .sort();
};
