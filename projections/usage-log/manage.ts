import type { ChannelEvent } from '../../domain/channel/events.ts';
import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import type { UserEvent } from '../../domain/user/events.ts';
import type { Writers } from '../runtime/table.ts';
import type { ManageDetails } from './details.ts';
import { type NewEntry, writeEntry } from './entries.ts';
import type { usageLogTables } from './table.ts';

type Rows = Writers<typeof usageLogTables>;
type Values = ManageDetails['values'];
type About = Readonly<{ user_id: number; channel_id?: number; values?: Values }>;

/** An entry of type 3, of what an administrator did; what others do is not logged here. */
const manage = (
  rows: Rows,
  recorded: Recorded<UserEvent | SiteEvent | ChannelEvent | RedemptionEvent>,
  about: About,
): void => {
  const { actor } = recorded.metadata;
  if (actor.kind !== 'admin') return;
  const { values = {}, ...columns } = about;
  const { reason = '' } = recorded.event.data as Readonly<{ reason?: string }>;
  const entry: NewEntry = {
    type: 3,
    ...columns,
    details: {
      kind: 'manage',
      event: recorded.event.type,
      actorKind: actor.kind,
      actorId: actor.id,
      values: reason === '' ? values : { ...values, reason },
    },
  };
  writeEntry(rows, recorded, entry);
};

const operatorOf = ({ metadata }: Recorded): number => Number(metadata.actor.id);

/** Of a person, in the log of that person. */
export const managedUser =
  (valuesOf: (data: never) => Values = () => ({})) =>
  (rows: Rows, recorded: Recorded<UserEvent>): void => {
    const { data } = recorded.event;
    manage(rows, recorded, { user_id: data.userId, values: valuesOf(data as never) });
  };

/** Of an option, in the log of who changed it. */
export const managedOption = (
  rows: Rows,
  recorded: Recorded<Extract<SiteEvent, { data: { key: string } }>>,
): void => {
  const { key, because = '' } = recorded.event.data as Readonly<{ key: string; because?: string }>;
  const values = because === '' ? { key } : { key, because };
  manage(rows, recorded, { user_id: operatorOf(recorded), values });
};

/** Of a channel, in the log of who changed it. */
export const managedChannel = (rows: Rows, recorded: Recorded<ChannelEvent>): void => {
  const { channelId } = recorded.event.data;
  const about = { user_id: operatorOf(recorded), channel_id: channelId };
  manage(rows, recorded, { ...about, values: { id: channelId } });
};

/** Of a redemption code, in the log of who made or changed it. */
export const managedCode = (rows: Rows, recorded: Recorded<RedemptionEvent>): void => {
  const { redemptionId: id, quota } = recorded.event.data as Readonly<{
    redemptionId: number;
    quota?: number;
  }>;
  const values = quota === undefined ? { id } : { id, quota };
  manage(rows, recorded, { user_id: operatorOf(recorded), values });
};
