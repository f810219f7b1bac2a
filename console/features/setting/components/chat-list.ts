import { isSafeLink } from '../../../shared/chat-link.ts';
import { isRecord } from '../../../shared/local-values.ts';

/** One chat program: what users see, and the template of the address it is opened with. */
export type Chat = Readonly<{ name: string; address: string }>;
export const noChat: Chat = { name: '', address: '' };

/** The first entry that cannot stay as it is; entries count from 1, as users do. */
export type ChatFault = Readonly<{
  at: number;
  part: keyof Chat | 'entry';
  text:
    | 'chat-entry-wrong'
    | 'chat-name-missing'
    | 'chat-name-twice'
    | 'chat-address-missing'
    | 'chat-address-wrong';
}>;

/** An entry is one name with one address. */
const chatOf = (entry: unknown): Chat | null => {
  const pairs = isRecord(entry) ? Object.entries(entry) : [];
  const [name, address] = pairs[0] ?? [];
  if (pairs.length !== 1 || name === undefined || typeof address !== 'string') return null;
  return { name, address };
};

const entriesOf = (text: string): readonly (Chat | null)[] | null => {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(chatOf) : null;
  } catch {
    return null;
  }
};

/** Null where the text is not a list of names and addresses. */
export const readChats = (text: string): readonly Chat[] | null => {
  const entries = entriesOf(text === '' ? '[]' : text);
  const chats = entries?.filter((chat) => chat !== null) ?? [];
  return chats.length === entries?.length ? chats : null;
};

export const writeChats = (chats: readonly Chat[]): string =>
  JSON.stringify(
    chats.map(({ name, address }) => ({ [name]: address })),
    null,
    2,
  );

const faultIn = (chat: Chat | null, before: readonly (Chat | null)[]) => {
  if (chat === null) return { part: 'entry', text: 'chat-entry-wrong' } as const;
  const { name, address } = chat;
  if (name.trim() === '') return { part: 'name', text: 'chat-name-missing' } as const;
  if (before.some((other) => other?.name === name)) {
    return { part: 'name', text: 'chat-name-twice' } as const;
  }
  if (address.trim() === '') return { part: 'address', text: 'chat-address-missing' } as const;
  return isSafeLink(address) ? null : ({ part: 'address', text: 'chat-address-wrong' } as const);
};

/** Null where nothing is wrong, and where the text is no list at all. */
export const chatFault = (text: string): ChatFault | null => {
  const entries = entriesOf(text) ?? [];
  for (const [at, chat] of entries.entries()) {
    const fault = faultIn(chat, entries.slice(0, at));
    if (fault !== null) return { at: at + 1, ...fault };
  }
  return null;
};

/** `from` and `to` count from 0. */
export const moved = (chats: readonly Chat[], from: number, to: number): readonly Chat[] => {
  const rest = chats.filter((_, at) => at !== from);
  return [...rest.slice(0, to), ...chats.slice(from, from + 1), ...rest.slice(to)];
};
