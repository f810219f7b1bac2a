import { paths } from '../../../shared/paths.ts';
import {
  isTab,
  type OptionKey,
  type SettingCard,
  type SettingField,
  type SettingTab,
  settingTabs,
  tabNames,
} from './option-fields.ts';

type SectionId = SettingCard['id'] | 'visual' | 'unset';
/** One form of the settings: a card of options, or a table over several of them. */
export type Section = Readonly<{
  tab: SettingTab;
  id: SectionId;
  /** Null for the tables of models. */
  card: SettingCard | null;
}>;

const cardsOf = (tab: SettingTab): readonly SettingCard[] => settingTabs[tab];
const withTables = (section: Section): readonly Section[] =>
  section.id === 'prices'
    ? [section, { ...section, id: 'visual', card: null }, { ...section, id: 'unset', card: null }]
    : [section];

/** In reading order. */
export const sections: readonly Section[] = tabNames.flatMap((tab) =>
  cardsOf(tab).flatMap((card) => withTables({ tab, id: card.id, card })),
);

const sectionsOf = (tab: SettingTab): readonly Section[] =>
  sections.filter((section) => section.tab === tab);

export const fieldsOf = ({ card }: Section): readonly SettingField[] => card?.fields ?? [];

type Wanted = Readonly<{ tab: string; section: string; sub: string }>;

/** The section that an address means; null where it names a tab at most. */
export const namedSection = ({ tab, section, sub }: Wanted): Section | null => {
  const id = section || sub;
  const found = sections.filter((one) => one.id === id);
  return found.find((one) => one.tab === tab) ?? found[0] ?? null;
};

/** The same, or the first of the tab. */
export const wantedSection = (wanted: Wanted): Section => {
  const tab = isTab(wanted.tab) ? wanted.tab : 'operation';
  const [first] = sectionsOf(tab);
  const section = namedSection(wanted) ?? first;
  if (section === undefined) throw new Error(`no section in ${tab}`);
  return section;
};

export const sectionTitle = ({ id }: Section) =>
  id === 'visual' || id === 'unset' ? (`sub.${id}` as const) : (`card.${id}` as const);

export const addressOf = ({ tab, id }: Section, option?: OptionKey): string =>
  `${paths.setting}?${new URLSearchParams({ tab, section: id, ...(option && { option }) })}`;
