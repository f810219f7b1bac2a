import type { ChannelRow } from '../api/channels.ts';
import { namesOf } from './channel-form.ts';

/** A line of the list: one channel, or in tag mode all channels of one tag. */
export type ChannelEntry =
  | Readonly<{ kind: 'channel'; channel: ChannelRow; isChild: boolean }>
  | Readonly<{ kind: 'tag'; tag: string; channels: readonly ChannelRow[]; isOpen: boolean }>;

export const keyOf = (entry: ChannelEntry): string | number =>
  entry.kind === 'tag' ? `tag:${entry.tag}` : entry.channel.id;

export const plainEntries = (rows: readonly ChannelRow[]): readonly ChannelEntry[] =>
  rows.map((channel) => ({ kind: 'channel', channel, isChild: false }));

/** One line a tag, in the order of their first channels; open tags show theirs below. */
export const tagEntries = (
  rows: readonly ChannelRow[],
  open: ReadonlySet<string>,
): readonly ChannelEntry[] => {
  const byTag = new Map<string, ChannelRow[]>();
  for (const row of rows) byTag.set(row.tag, [...(byTag.get(row.tag) ?? []), row]);
  return [...byTag].flatMap(([tag, channels]): ChannelEntry[] => {
    const isOpen = open.has(tag);
    const children = channels.map(
      (channel): ChannelEntry => ({ kind: 'channel', channel, isChild: true }),
    );
    return [{ kind: 'tag', tag, channels, isOpen }, ...(isOpen ? children : [])];
  });
};

const ifSame = (values: readonly number[]): number | null =>
  values.every((value) => value === values[0]) ? (values[0] ?? null) : null;

export type TagSummary = Readonly<{
  groups: string;
  usedQuota: number;
  /** Mean over the channels that were ever tested, in milliseconds; 0: none was. */
  responseMs: number;
  /** Null where the channels differ. */
  priority: number | null;
  weight: number | null;
  isEnabled: boolean;
}>;

export const summaryOf = (channels: readonly ChannelRow[]): TagSummary => {
  const tested = channels.map(({ response_time }) => response_time).filter((ms) => ms > 0);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    groups: [...new Set(channels.flatMap(({ group }) => namesOf(group)))].join(','),
    usedQuota: sum(channels.map(({ used_quota }) => used_quota)),
    responseMs: tested.length === 0 ? 0 : Math.round(sum(tested) / tested.length),
    priority: ifSame(channels.map(({ priority }) => priority)),
    weight: ifSame(channels.map(({ weight }) => weight)),
    isEnabled: channels.some(({ status }) => status === 1),
  };
};

/** Channels of a selection of lines; a tag represents all of its channels. */
export const idsOf = (
  rows: readonly ChannelRow[],
  keys: ReadonlySet<string | number>,
): readonly number[] =>
  rows.filter(({ id, tag }) => keys.has(id) || keys.has(`tag:${tag}`)).map(({ id }) => id);
