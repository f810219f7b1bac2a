import { useQuery } from '@tanstack/react-query';
import i18next, { type TFunction } from 'i18next';
import type { ReactElement } from 'react';
import {
  addressOf,
  fieldsOf,
  sections,
  sectionTitle,
} from '../../features/setting/components/sections.ts';
import { call } from '../../shared/api/client.ts';
import { callOf, channelAdd, channelEdit, paths, userEdit } from '../../shared/paths.ts';
import { useIsAdmin } from '../../shared/session.ts';
import { type NavItem, navigation } from './navigation.ts';

/** One line of the palette: where it leads, and what it is. */
export type Destination = Readonly<{
  key: string;
  kind: 'page' | 'setting' | 'action' | 'user' | 'channel' | 'token' | 'call';
  text: string;
  /** Found by these too. */
  words?: string;
  to: string;
  icon?: ReactElement;
}>;

/** Shorter words find too much. */
const minLength = 2;
/** Of each kind, so that one does not hide the others. */
const maxOfKind = 5;

const found = (text: string, word: string): boolean =>
  text.toLowerCase().includes(word.toLowerCase());

/** Pages of this person, and what can be begun from anywhere. */
export const pagesFor = (
  t: TFunction<'shell'>,
  isShown: (item: NavItem) => boolean,
  isAdmin: boolean,
): readonly Destination[] => {
  const pages = navigation
    .flatMap(({ items }) => items)
    .filter(isShown)
    .map((item): Destination => {
      const text = t(`nav.${item.text}`);
      return { key: item.path, kind: 'page', text, to: item.path, icon: item.icon };
    });
  const pricing = { key: 'pricing', kind: 'page', text: t('pricing'), to: paths.pricing } as const;
  const addChannel = {
    key: 'add-channel',
    kind: 'action',
    text: t('add-channel'),
    to: channelAdd,
  } as const;
  return [...pages, pricing, ...(isAdmin ? [addChannel] : [])];
};

/** At the beginning of a word, where the script has words: `led` is in many a label. */
const foundAtWord = (text: string, word: string): boolean =>
  /[^ -~]/.test(word) ? found(text, word) : new RegExp(`\\b${escaped(word)}`, 'i').test(text);

const escaped = (word: string): string => word.replaceAll(/[^\w\s]/g, '\\$&');

export const matching = (all: readonly Destination[], word: string): readonly Destination[] =>
  all.filter(({ text, words }) =>
    words === undefined ? found(text, word) : foundAtWord(`${text}\n${words}`, word),
  );

/** Sections of the settings, by their titles and the options in them. */
export const settingsFor = (t: TFunction<'setting'>): readonly Destination[] =>
  sections.map((section) => ({
    key: `setting-${section.tab}-${section.id}`,
    kind: 'setting',
    text: t(sectionTitle(section)),
    words: fieldsOf(section)
      .map(([key]) => `${t(`label.${key}`)} ${key}`)
      .join('\n'),
    to: addressOf(section),
  }));

const usersNamed = async (keyword: string): Promise<readonly Destination[]> => {
  const query = { keyword, group: '', p: 1, page_size: maxOfKind };
  const { items } = await call('GET /api/user/search', { query });
  return items.map(({ id, username }) => ({
    key: `user-${id}`,
    kind: 'user',
    text: username,
    to: userEdit(id),
  }));
};

const channelsNamed = async (keyword: string): Promise<readonly Destination[]> => {
  const query = { keyword, group: '', model: '', id_sort: false, tag_mode: false };
  const channels = await call('GET /api/channel/search', { query });
  return channels.slice(0, maxOfKind).map(({ id, name }) => ({
    key: `channel-${id}`,
    kind: 'channel',
    text: name,
    to: channelEdit(id),
  }));
};

const tokensNamed = async (keyword: string): Promise<readonly Destination[]> => {
  const tokens = await call('GET /api/token/search', { query: { keyword, token: '' } });
  return tokens.slice(0, maxOfKind).map(({ id, name }) => ({
    key: `token-${id}`,
    kind: 'token',
    text: name,
    to: `${paths.token}?keyword=${encodeURIComponent(name)}`,
  }));
};

/** The second of a call and more: what a request id begins with. */
const requestIdForm = /^\d{14}[A-Za-z0-9]*$/;

const callsNumbered = async (id: string, isAdmin: boolean): Promise<readonly Destination[]> => {
  const route = isAdmin ? 'GET /api/log/find' : 'GET /api/log/self/find';
  const rows = await call(route, { query: { request_id: id } });
  return rows.map(({ request_id }) => ({
    key: `call-${request_id}`,
    kind: 'call',
    text: i18next.t('shell:palette-call', { id: request_id }),
    to: callOf(request_id),
  }));
};

/** Users, channels and keys by name, calls by id; what cannot be read is left out. */
export const useNamed = (word: string) => {
  const isAdmin = useIsAdmin();
  return useQuery({
    queryKey: ['palette', word, isAdmin],
    enabled: word.length >= minLength,
    meta: { isQuiet: true },
    queryFn: async () => {
      const searches = [
        ...(requestIdForm.test(word) ? [callsNumbered(word, isAdmin)] : []),
        tokensNamed(word),
        ...(isAdmin ? [usersNamed(word), channelsNamed(word)] : []),
      ];
      const answers = await Promise.allSettled(searches);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    },
  });
};
