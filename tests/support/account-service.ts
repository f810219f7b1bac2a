import type { Bus, Stop } from '../../infra/ports/bus.ts';
import { serveChannelAccounts } from '../../relay/channel-checks/channel-accounts.ts';
import { createProviderIo } from '../../relay/upstream/provider-io.ts';
import { relayVaultOf, vaultOf } from './vault.ts';

const site = 'account-service';
/** Of the write side; the relay below holds the keys that it seals for. */
export const testVault = vaultOf(site);

/** The part of a relay that reads balances and lists of models at providers. */
export const serveAccounts = (bus: Bus): Promise<Stop> =>
  serveChannelAccounts({
    bus,
    vault: relayVaultOf(site),
    providerIo: createProviderIo(() => new Date()),
  });
