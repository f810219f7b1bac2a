import type { Bus, Stop } from '../../infra/ports/bus.ts';
import { createVault } from '../../infra/vault/create-vault.ts';
import { serveChannelAccounts } from '../../relay/channel-accounts.ts';
import { createProviderIo } from '../../relay/upstream/provider-io.ts';

/** Opens what both sides seal. */
export const testVault = createVault('a secret key for tests, long enough to be one');

/** The part of a relay that reads balances and lists of models at providers. */
export const serveAccounts = (bus: Bus): Promise<Stop> =>
  serveChannelAccounts({
    bus,
    vault: testVault,
    providerIo: createProviderIo(() => new Date()),
  });
