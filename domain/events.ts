import type { AccountEvent } from './account/events.ts';
import type { ChannelEvent } from './channel/events.ts';
import type { KeyringWritten } from './keyring/events.ts';
import type { RedemptionEvent } from './redemption/events.ts';
import type { RelayEvent } from './relay/events.ts';
import type { SiteEvent } from './site/events.ts';
import type { TaskEvent } from './task/events.ts';
import type { TokenEvent } from './token/events.ts';
import type { TopUpEvent } from './topup/events.ts';
import type { PersonalKeyCreated, UserEvent, UserLoginFailed } from './user/events.ts';

/** Everything that can happen. */
export type DomainEvent =
  | SiteEvent
  | UserEvent
  | PersonalKeyCreated
  | UserLoginFailed
  | AccountEvent
  | TokenEvent
  | ChannelEvent
  | RedemptionEvent
  | RelayEvent
  | KeyringWritten
  | TaskEvent
  | TopUpEvent;
