import type { ChannelId, UserId } from '../../domain/shared/ids.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';
import { eventOf, type Frame, isFields } from './frames.ts';
import { memberOf } from './live-setup.ts';

const prefix = 'tg';
const markKind = 'live-session';
const form = /^tg\.(\d{1,9})\.([0-9a-f]{64})\.(.+)$/s;

type Handle = Readonly<{ channelId: ChannelId; handle: string }>;

/**
 * A handle resumes a session later. A provider's handle opens the session to everyone who shares
 * the channel, so callers get it with the channel and a mark of their user.
 */
export type ResumptionHandles = Readonly<{
  shown: (made: Handle) => string;
  /** null: it is no handle of this user. */
  opened: (shown: string) => Handle | null;
}>;

export const resumptionHandles = (vault: RelayVault, userId: UserId): ResumptionHandles => {
  const marked = ({ channelId, handle }: Handle): string => `${userId}.${channelId}.${handle}`;
  return {
    shown: (made) =>
      [prefix, made.channelId, vault.mark(markKind, marked(made)), made.handle].join('.'),
    opened: (shown) => {
      const [, channelId, mark = '', handle = ''] = form.exec(shown) ?? [];
      if (channelId === undefined) return null;
      const made = { channelId: Number(channelId), handle };
      return vault.isMark(markKind, marked(made), mark) ? made : null;
    },
  };
};

const marks = ['"newHandle"', '"new_handle"'];

/** A message of the provider with the handle that its caller may have. */
export const withOwnHandle = (frame: Frame, shown: (handle: string) => string): Frame => {
  if (!marks.some((mark) => frame.bytes.includes(mark))) return frame;
  const event = eventOf(frame.bytes);
  const update = memberOf(event, 'sessionResumptionUpdate', 'session_resumption_update');
  const handle = memberOf(update, 'newHandle', 'new_handle');
  if (!isFields(update) || typeof handle !== 'string' || handle === '') return frame;
  const { new_handle: _, ...rest } = update;
  const own = { ...rest, newHandle: shown(handle) };
  const { session_resumption_update: __, ...others } = event ?? {};
  const bytes = Buffer.from(JSON.stringify({ ...others, sessionResumptionUpdate: own }));
  return { bytes, isBinary: frame.isBinary };
};
