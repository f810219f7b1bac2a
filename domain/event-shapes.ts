import type { LeasedAccountsNoted } from './account/leased-accounts.ts';
import type { UsageRecordSetAside } from './account/set-aside.ts';
import { accountShapes, relayShapes } from './account/shapes.ts';
import type { AccountSnapshot, AccountSnapshotTaken } from './account/snapshot.ts';
import { channelShapes } from './channel/shapes.ts';
import type { DomainEvent } from './events.ts';
import { keyringShapes } from './keyring/shapes.ts';
import { redemptionShapes } from './redemption/shapes.ts';
import type { IdsReserved, IdVoided, ValueClaimed } from './shared/identity.ts';
import type { ProcessAdvanced } from './shared/process.ts';
import { digits, list, object, pair, type Shape, text, whole } from './shared/shape.ts';
import { dataOf, type Shapes } from './shared/shapes.ts';
import { siteShapes } from './site/shapes.ts';
import { taskShapes } from './task/shapes.ts';
import { tokenShapes } from './token/shapes.ts';
import { topUpShapes } from './topup/shapes.ts';
import { userLoginFailedShape, userShapes } from './user/shapes.ts';

/** What the writers of the log note for themselves; no read model shows it. */
type BookkeepingEvent =
  | AccountSnapshotTaken
  | IdsReserved
  | IdVoided
  | LeasedAccountsNoted
  | ProcessAdvanced
  | UsageRecordSetAside
  | ValueClaimed;

/** The rest of a snapshot goes by its version, which its reader looks at first. */
const snapshotHead = object<Pick<AccountSnapshot, 'version' | 'userId'>>({
  version: whole,
  userId: whole,
});

/**
 * What every event that the product writes looks like. An event that is not here, or does not look
 * like this, cannot be read. A new event or field stops the build until it stands here.
 */
export const eventShapes: Shapes<DomainEvent | BookkeepingEvent> = {
  ...siteShapes,
  ...userShapes,
  UserLoginFailed: userLoginFailedShape,
  ...accountShapes,
  ...tokenShapes,
  ...channelShapes,
  ...redemptionShapes,
  ...relayShapes,
  ...keyringShapes,
  ...taskShapes,
  ...topUpShapes,
  AccountSnapshotTaken: snapshotHead as Shape<AccountSnapshot>,
  IdsReserved: dataOf<IdsReserved>({ category: text, from: whole, to: whole }),
  IdVoided: dataOf<IdVoided>({ streamId: text, kind: text }),
  LeasedAccountsNoted: dataOf<LeasedAccountsNoted>({
    partition: whole,
    accounts: list(pair(whole, whole)),
  }),
  ProcessAdvanced: dataOf<ProcessAdvanced>({ name: text, position: digits }),
  UsageRecordSetAside: dataOf<UsageRecordSetAside>({ reason: text, record: text }),
  ValueClaimed: dataOf<ValueClaimed>({ kind: text, ownerId: whole, ownerStreamId: text }),
};
