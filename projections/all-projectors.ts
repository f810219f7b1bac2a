import type { Bus } from '../infra/ports/bus.ts';
import type { Logger } from '../infra/ports/logger.ts';
import type { ReadVault } from '../infra/ports/vault.ts';
import { auditTrailProjector } from './audit-trail/projector.ts';
import { channelCostsProjector } from './channel-costs/projector.ts';
import { channelListProjector } from './channel-list/projector.ts';
import { deadLettersProjector } from './dead-letters/projector.ts';
import { relayFeedsProjector } from './feeds/projector.ts';
import { ledgerProjector } from './ledger/projector.ts';
import { optionListProjector } from './option-list/projector.ts';
import { redemptionListProjector } from './redemption-list/projector.ts';
import { refusalsProjector } from './refusals/projector.ts';
import type { Projector } from './runtime/projector.ts';
import { taskListProjector } from './task-list/projector.ts';
import { tokenListProjector } from './token-list/projector.ts';
import { topUpListProjector } from './topup-list/projector.ts';
import { usageLogProjector } from './usage-log/projector.ts';
import { userListProjector } from './user-list/projector.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: ReadVault;
  logger: Logger;
  /** A person's key was destroyed, and with it the sealed texts of the rows. */
  onDeparture: () => void;
}>;

/** All read models, for the process that serves them and for verify. The feeds come first: relays wait for them. */
export const allProjectors = ({ bus, vault, logger, onDeparture }: Deps): readonly Projector[] => [
  relayFeedsProjector({ bus, vault, logger }),
  userListProjector({ vault, logger, onDeparture }),
  tokenListProjector({ vault, logger }),
  channelListProjector,
  optionListProjector,
  ledgerProjector,
  auditTrailProjector,
  usageLogProjector,
  redemptionListProjector,
  taskListProjector,
  topUpListProjector,
  deadLettersProjector,
  channelCostsProjector,
  refusalsProjector,
];
